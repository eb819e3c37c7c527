import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {twoAnchorRates} from '../../learn/noise/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus} from '../../read/data/index.ts'
import {releaseCounts, releaseToCounts} from '../../read/pooling/index.ts'
import {diagnose} from './diagnose.ts'

/** Notes in which "stroke" also fires for falls, unless it is said never to, beside concepts of one and of more features. */
function drawNotes(featuresOfPain: readonly string[], falseShare = 0.4) {
  const random = rng(3)
  const rows = Array.from({length: 1500}, () => {
    const stroke = random.next() < (falseShare > 0 ? 0.2 : 0.06)
    const fall = random.next() < (stroke && falseShare === 0 ? 0.7 : 0.3)
    const pain = random.next() < 0.3
    const said = (present: boolean, words: readonly string[], chance = 0.6) =>
      words.filter(() => random.next() < (present ? chance : 0.03))
    const features = [
      ...(stroke || (fall && random.next() < falseShare) ? ['stroke'] : []),
      ...said(stroke, ['aphasia', 'infarct', 'thrombus', 'hemiparesis']),
      ...said(fall, ['fell', 'hip', 'stairs', 'fracture']),
      ...said(pain, ['ache', 'sore', 'opioid'])
    ]
    return {features}
  })
  const anchors = [
    {concept: 'stroke', any: ['stroke'], not: [], rates: undefined},
    {concept: 'fall', any: ['fell'], not: [], rates: undefined},
    {concept: 'pain', any: featuresOfPain, not: [], rates: undefined}
  ]
  return countCorpus(buildCorpus(rows, anchors, {maxShare: 1}))
}

function throughTables(counts: ReturnType<typeof drawNotes>, maxOrder: number) {
  return releaseToCounts(releaseCounts(counts, {maxOrder, minCell: 0}))
}

test('diagnose(counts) of tables of three says all that it says of documents, of tables of two all but what needs three', async () => {
  const counts = drawNotes(['ache'])
  const whole = await diagnose(counts)
  expect(whole.findings.map(({kind}) => kind)).toContain('fires-for-another')
  expect(await diagnose(throughTables(counts, 3))).toEqual(whole)
  const two = await diagnose(throughTables(counts, 2))
  expect(two).toEqual({...whole, findings: whole.findings.filter(({kind}) => kind !== 'fires-for-another')})
  const good = drawNotes(['ache'], 0)
  expect((await diagnose(good)).findings).toEqual([])
  expect((await diagnose(throughTables(good, 2))).findings).toEqual([])
})

test('diagnose(counts) of tables says nothing of the single features of an anchor, which tables do not tell apart', async () => {
  const tables = throughTables(drawNotes(['ache', 'sore', 'never']), 3)
  const {anchors, findings} = await diagnose(tables)
  expect(anchors.map(({members}) => members.length)).toEqual([1, 1, 0])
  expect(findings.filter(({kind}) => kind === 'dead-member' || kind === 'foreign-member')).toEqual([])
  expect(twoAnchorRates(tables, 2)).toBe('released tables do not distinguish the members of an anchor')
})
