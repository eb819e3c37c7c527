/**
 * Models with known truth. `randomModel` draws a full one: a random network over the concepts and noisy-or words. Network,
 * anchors and words come from streams of their own: more words leave the network as it was. Cost: O(m n), and the network.
 */

import {above, checkOptions, optional, type Rule, whole} from '../../base/checks/index.ts'
import {type BayesNetwork, networkMarginals} from '../../base/network/index.ts'
import {exp, log, type Rng, shuffled} from '../../base/numeric/index.ts'
import type {Loadings} from '../../learn/loadings/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {composeModel} from '../../learn/model/index.ts'
import {type Anchor, textDefaults} from '../../read/data/index.ts'
import {between, type NetworkOptions, parentLimit, type Range, randomNetwork, refusal} from './random-network.ts'

/** Ranges are uniform unless stated otherwise. */
export interface RandomModelOptions extends NetworkOptions {
  readonly words: number
  readonly truePositive: Range
  readonly falsePositive: Range
  /** Words that each concept switches on. */
  readonly wordsPerConcept: number
  readonly failure: Range
  /** Uniform in the logarithm, so that most words are rare. */
  readonly leak: Range
  /** If given, scales all leaks so that documents have about this many words (exactly so without edges). */
  readonly wordsPerDocument: number | undefined
}

export const randomModelDefaults: RandomModelOptions = {
  concepts: 20,
  words: 500,
  structure: 'tree',
  prevalence: [0.03, 0.2],
  edgeStrength: [1, 2.5],
  truePositive: [0.4, 0.9],
  falsePositive: [0.001, 0.02],
  wordsPerConcept: 20,
  failure: [0.5, 0.95],
  leak: [0.002, 0.1],
  wordsPerDocument: undefined
}

/** Draws a model. Its `seed` is 0: only the caller knows the seed of `random`. */
export function randomModel(options: Partial<RandomModelOptions>, random: Rng): Model<BayesNetwork> {
  const checked = checkRandomModel(options)
  const {prevalence, ...network} = randomNetwork(checked, random.stream('network'))
  const anchorRandom = random.stream('anchors')
  const anchors = numbered('concept', checked.concepts, 2).map((concept, i) => ({
    concept,
    any: [numbered('anchor', checked.concepts, 2)[i]],
    not: [],
    rates: {
      kind: 'rates' as const,
      truePositive: between(checked.truePositive, anchorRandom),
      falsePositive: between(checked.falsePositive, anchorRandom)
    }
  }))
  const loadings = randomLoadings(checked, prevalence, random.stream('words'))
  const {wordsPerDocument, ...rest} = checked
  const kept = {generator: 'random', ...rest, ...(wordsPerDocument === undefined ? {} : {wordsPerDocument})}
  return knownModel({anchors, network, prevalence, loadings, words: numbered('word', checked.words, 4), options: kept})
}

/** The parts in which synthetic models differ. */
export interface KnownParts {
  readonly anchors: readonly (Anchor & {readonly rates: {readonly kind: 'rates'}})[]
  readonly network: BayesNetwork
  /** One per concept; by default computed from the network. */
  readonly prevalence?: readonly number[]
  readonly loadings: Loadings
  /** Ascending. */
  readonly words: readonly string[]
  readonly options: Model['options']
}

/** A model whose numbers are true by definition. */
export function knownModel({anchors, network, loadings, words, options, ...given}: KnownParts): Model<BayesNetwork> {
  const prevalence = given.prevalence ?? networkMarginals(network)
  return composeModel({
    concepts: anchors.map(({concept, rates: {truePositive, falsePositive}}, i) => ({
      name: concept,
      truePositive,
      falsePositive,
      prevalence: prevalence[i]
    })),
    network,
    loadings,
    lexicon: {anchors, words, phrases: [], reading: textDefaults, filter: undefined, skipped: []},
    seed: 0,
    options,
    certificate: {status: 'known truth'}
  })
}

function randomLoadings(options: RandomModelOptions, prevalence: readonly number[], random: Rng): Loadings {
  const {concepts: m, words: n, wordsPerConcept, failure: range, leak: leakRange, wordsPerDocument} = options
  const logRange: Range = [log(leakRange[0]), log(leakRange[1])]
  const leak = Float64Array.from({length: n}, () => exp(between(logRange, random)))
  const failure = new Float64Array(m * n).fill(1)
  const all = Array.from({length: n}, (_, j) => j)
  for (let i = 0; i < m; i++)
    for (const j of shuffled(all, random).slice(0, wordsPerConcept)) failure[i * n + j] = between(range, random)
  const loadings = {conceptCount: m, wordCount: n, failure, leak}
  return wordsPerDocument === undefined ? loadings : scaleLeaks(loadings, prevalence, wordsPerDocument)
}

/**
 * The words of a document, concepts taken as independent, are sum_j (1 - P0_j) + factor * sum_j leak_j P0_j with
 * P0_j = P(no concept switches on j): linear in the factor.
 */
function scaleLeaks(loadings: Loadings, prevalence: readonly number[], target: number): Loadings {
  const {conceptCount: m, wordCount: n, failure, leak} = loadings
  let fromConcepts = 0
  let fromLeaks = 0
  for (let j = 0; j < n; j++) {
    let off = 1
    for (let i = 0; i < m; i++) off *= 1 - prevalence[i] * (1 - failure[i * n + j])
    fromConcepts += 1 - off
    fromLeaks += leak[j] * off
  }
  const factor = (target - fromConcepts) / fromLeaks
  const highest = leak.reduce((top, l) => Math.max(top, l * factor), 0)
  if (!(factor > 0 && highest < 1))
    throw refusal(
      `leaks alone cannot give documents of ${target} words; concepts switch on ` +
        `${fromConcepts.toFixed(1)} words and leaks as drawn ${fromLeaks.toFixed(1)}; ` +
        `${factor > 0 ? 'ask for fewer words per document, or more words' : 'ask for more, or lower wordsPerConcept'}`
    )
  return {...loadings, leak: leak.map(l => l * factor)}
}

/** `stem-01`, `stem-02`, ...: equally long, so that they stand in ascending order. */
function numbered(stem: string, count: number, digits: number): string[] {
  const width = Math.max(digits, String(count).length)
  return Array.from({length: count}, (_, at) => `${stem}-${String(at + 1).padStart(width, '0')}`)
}

/** Links between concepts and words: 800 MB. */
const mostLinks = 1e8

function checkRandomModel(given: Partial<RandomModelOptions>): RandomModelOptions {
  const {concepts, words} = {...randomModelDefaults, ...given}
  const share = range(0, 1)
  const options = checkOptions(
    'randomModel',
    randomModelDefaults,
    {
      concepts: whole(1, 10_000),
      words: [
        value => whole(1)[0](value) && Number(value) * concepts <= mostLinks,
        `a whole number from 1 to ${mostLinks} / \`concepts\``
      ],
      prevalence: share,
      edgeStrength: range(-10, 10),
      truePositive: share,
      falsePositive: share,
      wordsPerConcept: [whole(0, words)[0], `a whole number from 0 to \`words\` = ${words}`],
      failure: share,
      leak: share,
      wordsPerDocument: optional([
        value => above(0)[0](value) && Number(value) < words,
        `a number between 0 and \`words\` = ${words}`
      ])
    },
    given
  )
  parentLimit(options.structure)
  const {truePositive, falsePositive} = options
  if (truePositive[0] <= falsePositive[1])
    throw refusal(
      `\`truePositive\` must lie above \`falsePositive\`; got from ${truePositive[0]} and up to ${falsePositive[1]}`
    )
  return options
}

/** A pair [low, high], strictly inside the bounds. */
function range(bottom: number, top: number): Rule {
  const isInside = (value: unknown) =>
    Array.isArray(value) && value[0] > bottom && value[0] <= value[1] && value[1] < top
  return [isInside, `[low, high] with ${bottom} < low <= high < ${top}`]
}
