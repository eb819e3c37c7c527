import {type Beliefs, type ConceptEvidence, createBeliefs} from '../../base/network/index.ts'
import {log, logit, sigmoid} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Model} from '../model/index.ts'
import {lengthFactor, type WordWeights} from '../words/index.ts'
import {checkAscending, readGiven, readLabels} from './document-factors.ts'
import {checkRates} from './inference-tables.ts'
import type {EvidenceUse} from './options.ts'
import type {ConceptLabels} from './posterior.ts'

/**
 * Predictions by the network, the anchors and the word weights of a model.
 *
 * The evidence on a concept is a constant for the state of its anchor plus the words; beliefs over the network add what
 * the other concepts contribute. Where the anchor fired, its constant and a share of the words decide, and this is what
 * the others receive. Without words the constants follow from the rates by Bayes' rule. Last tag: the given tags, all
 * others absent, in place of beliefs. Cost: O(m words that occur), and the beliefs.
 */
export class WeightReader {
  readonly #wordModel: WordWeights
  readonly #use: Pick<EvidenceUse, 'anchors' | 'words'>
  readonly #beliefs: Beliefs
  /** The evidence where an anchor is silent (or hidden), and, less the prior, where it fired. */
  readonly #silent: readonly number[]
  readonly #fired: readonly number[]
  /** Weights by word: word j, concept i at `j * m + i`. */
  readonly #byWord: Float64Array
  /** Evidence from the words of one document, one log-odds per concept. */
  readonly #scores: Float64Array
  readonly #evidence: ConceptEvidence

  constructor(
    {concepts, network}: Pick<Model, 'concepts' | 'network'>,
    wordModel: WordWeights,
    use: Pick<EvidenceUse, 'anchors' | 'words'>
  ) {
    checkRates(concepts)
    const m = concepts.length
    const constants = anchorConstants(concepts, wordModel, use)
    this.#wordModel = wordModel
    this.#use = use
    this.#beliefs = createBeliefs(network)
    this.#silent = constants.silent
    this.#fired = constants.fired.map((constant, i) => constant - this.#beliefs.prior[i])
    const length = m * wordModel.weights[0].length
    this.#byWord = Float64Array.from({length}, (_, at) => wordModel.weights[at % m][Math.floor(at / m)])
    this.#scores = new Float64Array(m)
    this.#evidence = {logOdds: new Float64Array(m), settled: new Uint8Array(m), labels: new Int8Array(m)}
  }

  /** Whether beliefs are exact for the network. */
  get isExact(): boolean {
    return this.#beliefs.isExact
  }

  /** P(Y_i = 1 | document) of every concept; labels are returned as they are. */
  probabilities(evidence: Evidence, given?: ConceptLabels): Float64Array {
    const out = this.logOdds(evidence, given)
    const {labels} = this.#evidence
    for (let i = 0; i < out.length; i++) out[i] = labels[i] === -1 ? sigmoid(out[i]) : labels[i]
    return out
  }

  /** The log-odds of every concept without a label. */
  logOdds(evidence: Evidence, given?: ConceptLabels): Float64Array {
    readLabels(this.#evidence.labels, given)
    this.#readEvidence(evidence)
    const out = new Float64Array(this.#scores.length)
    this.#beliefs.run(this.#evidence, out)
    return out
  }

  /** What each other concept contributed to concept i in the last document; at place i, what cannot be attributed. */
  parts(i: number): Float64Array {
    return this.#beliefs.parts(i)
  }

  /** A score for each concept as the one missing tag; -Infinity for the given tags. */
  score(evidence: Evidence, given: readonly number[]): Float64Array {
    readGiven(this.#evidence.labels, given)
    this.#readEvidence(evidence)
    const {logOdds, settled} = this.#evidence
    const out = new Float64Array(logOdds.length)
    this.#beliefs.conditionalLogOdds(given, out)
    for (let i = 0; i < out.length; i++) out[i] = logOdds[i] + (settled[i] ? this.#beliefs.prior[i] : out[i])
    for (const i of given) out[i] = Number.NEGATIVE_INFINITY
    return out
  }

  #readEvidence(document: Evidence): void {
    this.#readWords(document)
    const {logOdds, settled} = this.#evidence
    const [silent, scores] = [this.#silent, this.#scores]
    settled.fill(0)
    for (let i = 0; i < scores.length; i++) logOdds[i] = silent[i] + scores[i]
    if (this.#use.anchors === 'hidden') return
    for (const i of document.anchors) {
      settled[i] = 1
      logOdds[i] = this.#fired[i] + this.#wordModel.firedShare * scores[i]
    }
  }

  #readWords({words, anchors}: Evidence): void {
    const scores = this.#scores
    const byWord = this.#byWord
    const m = scores.length
    checkAscending(words, byWord.length / m, 'word')
    checkAscending(anchors, m, 'anchor')
    scores.fill(0)
    if (this.#use.words === 'hidden') return
    for (let at = 0; at < words.length; at++) {
      const row = words[at] * m
      for (let i = 0; i < m; i++) scores[i] += byWord[row + i]
    }
    const factor = lengthFactor(this.#wordModel.length, words.length)
    for (let i = 0; i < m; i++) scores[i] *= factor
  }
}

/** Log-odds added where the anchor is silent (or hidden), and in place of the prior where it fired. */
export function anchorConstants(
  concepts: Model['concepts'],
  {silent, fired, hidden}: WordWeights,
  {anchors, words}: Pick<EvidenceUse, 'anchors' | 'words'>
): {readonly silent: readonly number[]; readonly fired: readonly number[]} {
  if (words === 'used') return {silent: anchors === 'used' ? silent : hidden, fired}
  return {
    silent: concepts.map(({truePositive: t, falsePositive: e}) => (anchors === 'used' ? log((1 - t) / (1 - e)) : 0)),
    fired: concepts.map(({truePositive: t, falsePositive: e, prevalence: p}) => logit(p) + log(t / e))
  }
}
