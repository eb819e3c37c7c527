import fc from 'fast-check'
import {expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {learn} from '../../learn/learn.ts'
import {judgeNoise, scoreAnchors} from '../../learn/noise/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {encodeCorpus, learnLexicon, parseAnchors, parseRow, vocabularyDefaults} from '../../read/data/index.ts'
import {diagnose} from '../../use/advice/index.ts'

const words = ['a', 'b', 'c', 'd', 'e', 'x', 'y', 'z']
const concepts = ['one', 'two', 'three']
const row = fc.record({
  features: fc.subarray(words),
  tags: fc.subarray(concepts),
  copies: fc.integer({min: 1, max: 60})
})
const given = fc.option(
  fc.oneof(
    fc.record({truePositive: fc.constantFrom(0.02, 0.3, 0.9), falsePositive: fc.constantFrom(0.001, 0.1, 0.25)}),
    fc.record({prevalence: fc.constantFrom(0.01, 0.2, 0.6), precision: fc.constantFrom(0.1, 0.5, 0.9)})
  ),
  {nil: undefined}
)
const anchor = fc.record({
  any: fc.subarray(['a', 'b', 'c', 'd', 'e', 'nowhere'], {minLength: 1, maxLength: 3}),
  rates: given
})

test('adfa doctor has a fault for exactly the concepts that a fit refuses, on random documents, anchors, rates and labels', async () => {
  let refused = 0
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, {minLength: 2, maxLength: 10}),
      fc.tuple(anchor, anchor, anchor),
      fc.constantFrom(0, 1),
      async (kinds, drawn, labelShare) => {
        const rows = kinds.flatMap(({copies, ...one}) => Array.from({length: copies}, () => one))
        const anchors = Object.fromEntries(drawn.map(({any, rates}, i) => [concepts[i], {any, ...rates}]))
        const faults = await doctorFaults(rows, anchors, labelShare)
        const fitted = await outcome(rows, anchors, labelShare)
        if (fitted === undefined) return
        expect(faults).toEqual(fitted)
        refused += fitted.length
        accepted += concepts.length - fitted.length
      }
    ),
    {numRuns: 150}
  )
  expect(refused).toBeGreaterThan(50)
  expect(accepted).toBeGreaterThan(50)
}, 120_000)

/** The concepts with a fault, as `adfa doctor` finds them; undefined where nothing is left to examine. */
async function doctorFaults(
  rows: readonly object[],
  anchors: object,
  labelShare: number
): Promise<string[] | undefined> {
  try {
    const parsed = rows.map((one, at) => parseRow(one, vocabularyDefaults, `row ${at}`))
    const rule = {kind: 'given', anchors: parseAnchors(JSON.stringify(anchors), 'anchors')} as const
    const lexicon = learnLexicon(parsed, rule, {...vocabularyDefaults, skipBadAnchors: true})
    const corpus = encodeCorpus(parsed, lexicon)
    const counts = countCorpus(corpus, {labelShare})
    const {findings} = await diagnose(counts, judgeNoise(counts, 'auto', {scores: scoreAnchors(corpus)}))
    const faulty = new Set(findings.filter(({severity}) => severity === 'fault').map(({concept}) => concept))
    return concepts.filter(concept => faulty.has(concept))
  } catch (error) {
    if (error instanceof AdfaError && error.code === 'bad-anchors') return [...concepts]
    throw error
  }
}

/** The concepts that a fit goes on without. */
async function outcome(rows: readonly object[], anchors: object, labelShare: number): Promise<string[] | undefined> {
  try {
    const {lexicon} = await learn(rows, {...anchors}, {labelShare, skipBadAnchors: true, words: 'noisy-or'})
    const skipped = new Set(lexicon.skipped.map(({concept}) => concept))
    return concepts.filter(concept => skipped.has(concept))
  } catch (error) {
    if (error instanceof AdfaError && error.code === 'bad-anchors') return [...concepts]
    throw error
  }
}
