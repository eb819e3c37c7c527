import {expect, test} from 'vitest'
import {log} from '../../base/numeric/index.ts'
import {createCompanyReader, learnCompany} from './company.ts'
import {pairCovariances} from './pair-covariances.ts'
import {drawDocuments} from './test-documents.ts'

/** The joint of two concepts, cell 2*y0 + y1, and what company makes of it. */
function twoConcepts(share: number) {
  const {counts, rates} = drawDocuments(31, 500, 2, 4)
  const [p, q] = rates.prevalence
  const delta = pairCovariances(counts, rates)[1]
  expect(delta).not.toBe(0)
  const joint = [(1 - p) * (1 - q) + delta, (1 - p) * q - delta, p * (1 - q) - delta, p * q + delta]
  return {joint, rates, reader: createCompanyReader(learnCompany(counts, rates, share))}
}

test('fromAnchors(...) is Bayes rule, exactly, for two concepts', () => {
  const {joint, rates, reader} = twoConcepts(1)
  const {truePositive: t, falsePositive: e} = rates
  for (const fired of [[], [1]]) {
    const chance = (y1: number) => (fired.length > 0 ? (y1 ? t[1] : e[1]) : 1 - (y1 ? t[1] : e[1]))
    const present = joint[2] * chance(0) + joint[3] * chance(1)
    const absent = joint[0] * chance(0) + joint[1] * chance(1)
    const out = new Float64Array(2)
    reader.fromAnchors(fired, undefined, out)
    expect(out[0]).toBeCloseTo(log(present / absent), 12)
  }
})

test('fromTags(...) and known tags are Bayes rule, exactly, for two concepts, whatever the anchor does', () => {
  const {joint, reader} = twoConcepts(0.5)
  const out = new Float64Array(2)
  reader.fromTags([1], out)
  expect(out[0]).toBeCloseTo(log(joint[3] / joint[1]), 12)
  reader.fromTags([], out)
  expect(out[0]).toBeCloseTo(log(joint[2] / joint[0]), 12)
  for (const fired of [[], [1]]) {
    reader.fromAnchors(fired, [-1, 1], out)
    expect(out[0]).toBeCloseTo(log(joint[3] / joint[1]), 12)
    reader.fromAnchors(fired, [-1, 0], out)
    expect(out[0]).toBeCloseTo(log(joint[2] / joint[0]), 12)
  }
})

test('learnCompany(...) lets an anchor that fires move the log-odds by the share asked for', () => {
  const {counts, rates} = drawDocuments(32, 500)
  const [none, half, whole] = [0, 0.5, 1].map(share => learnCompany(counts, rates, share))
  expect(none.firedAnchor).toEqual(none.silentAnchor)
  whole.firedAnchor.forEach((row, i) => {
    row.forEach((say, k) => {
      expect(half.firedAnchor[i][k]).toBeCloseTo((say + none.firedAnchor[i][k]) / 2, 12)
    })
  })
})

test('fromAnchors(...) and fromTags(...) are the prior and one term for each other concept', () => {
  const {counts, rates} = drawDocuments(33, 500)
  const company = learnCompany(counts, rates, 0.7)
  const reader = createCompanyReader(company)
  const [anchors, tags] = [new Float64Array(6), new Float64Array(6)]
  reader.fromAnchors([1, 4], [-1, -1, 0, 1, -1, -1], anchors)
  reader.fromTags([1, 4], tags)
  for (let i = 0; i < 6; i++) {
    const {prior, silentAnchor, firedAnchor, absentTag, presentTag} = company
    const plain = [
      silentAnchor[i][0],
      firedAnchor[i][1],
      absentTag[i][2],
      presentTag[i][3],
      firedAnchor[i][4],
      silentAnchor[i][5]
    ]
    expect(anchors[i]).toBeCloseTo(
      plain.reduce((sum, say) => sum + say, prior[i]),
      12
    )
    const given = Array.from({length: 6}, (_, k) => (k === 1 || k === 4 ? presentTag : absentTag)[i][k])
    expect(tags[i]).toBeCloseTo(
      given.reduce((sum, say) => sum + say, prior[i]),
      12
    )
  }
})
