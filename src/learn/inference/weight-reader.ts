import {type Beliefs, type ConceptEvidence, createBeliefs} from '../../base/network/index.ts'
import {log, logit, sigmoid} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Model} from '../model/index.ts'
import {type ClassGroup, classGroups, decideLabels, excludeCandidates, excludeClasses} from '../votes/index.ts'
import {lengthFactor, memberEvidence, type WordWeights} from '../words/index.ts'
import {checkAscending, checkRates, readGiven, readLabels} from './document-factors.ts'
import type {ConceptLabels, EvidenceUse} from './posterior.ts'

/**
 * Predictions by the network, the anchors and the word weights of a model.
 *
 * The evidence on a concept is a constant for the state of its anchor plus the words; beliefs over the network add what
 * the other concepts contribute. Where the anchor fired, its constant, its members and a share of the words decide, and this
 * is what the others receive. Without words the constants follow from the rates by Bayes' rule. Last tag: the given tags, all
 * others absent, in place of beliefs. Cost: O(m words that occur), and the beliefs.
 */
export class WeightReader {
  readonly #wordModel: WordWeights
  readonly #use: Pick<EvidenceUse, 'anchors' | 'words'>
  readonly #beliefs: Beliefs
  /** The evidence where an anchor is silent (or hidden), and, less the prior, where it fired. */
  readonly #silent: readonly number[]
  readonly #fired: readonly number[]
  readonly #firedShare: readonly number[]
  /** Weights by word: word j, concept i at `j * m + i`. */
  readonly #byWord: Float64Array
  /** Evidence from the words of one document, one log-odds per concept. */
  readonly #scores: Float64Array
  /** Fills {@link WeightReader.#fromMembers}; undefined where members do not count. */
  readonly #readMembers: ReturnType<typeof memberEvidence> | undefined
  /** Evidence from the members that fired, one log-odds per concept. */
  readonly #fromMembers: Float64Array
  readonly #memberCount: number
  /** Classes whose votes have weights. */
  readonly #voted: readonly number[]
  readonly #evidence: ConceptEvidence
  readonly #groups: readonly ClassGroup[]

  constructor(
    {concepts, network, lexicon}: Pick<Model, 'concepts' | 'network' | 'lexicon'>,
    wordModel: WordWeights,
    use: Pick<EvidenceUse, 'anchors' | 'words'>
  ) {
    checkRates(concepts)
    this.#groups = classGroups({concepts, lexicon})
    this.#firedShare = firedShares(this.#groups, wordModel, concepts.length)
    const m = concepts.length
    const constants = anchorConstants(concepts, wordModel, use)
    const sizes = lexicon.anchors.map(({any}) => any.length)
    this.#wordModel = wordModel
    this.#use = use
    this.#beliefs = createBeliefs(network)
    this.#silent = constants.silent
    this.#fired = constants.fired.map((constant, i) => constant - this.#beliefs.prior[i])
    const length = m * wordModel.weights[0].length
    this.#byWord = Float64Array.from({length}, (_, at) => wordModel.weights[at % m][Math.floor(at / m)])
    this.#scores = new Float64Array(m)
    const hasMembers = wordModel.members !== undefined || wordModel.votes !== undefined
    this.#readMembers = hasMembers ? memberEvidence(wordModel, sizes) : undefined
    this.#memberCount = sizes.reduce((sum, size) => sum + size, 0)
    this.#fromMembers = new Float64Array(m)
    this.#voted = (wordModel.votes ?? []).flatMap(({concepts: own}) => own)
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
    const {labels} = this.#evidence
    readLabels(labels, given)
    decideLabels(this.#groups, labels)
    this.#readEvidence(evidence)
    const out = new Float64Array(this.#scores.length)
    this.#beliefs.run(this.#evidence, out)
    excludeClasses(this.#groups, out, labels)
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
    excludeCandidates(this.#groups, given, out)
    return out
  }

  #readEvidence(document: Evidence): void {
    this.#readWords(document)
    const {logOdds, settled} = this.#evidence
    const [silent, scores] = [this.#silent, this.#scores]
    settled.fill(0)
    for (let i = 0; i < scores.length; i++) logOdds[i] = silent[i] + scores[i]
    if (this.#use.anchors === 'hidden') return
    if (this.#readMembers !== undefined) {
      checkAscending(document.members, this.#memberCount, 'member')
      this.#readMembers(document.members, this.#fromMembers)
      // Votes count for classes that have none, too.
      for (const i of this.#voted) logOdds[i] += this.#fromMembers[i]
    }
    for (const i of document.anchors) {
      settled[i] = 1
      logOdds[i] = this.#fired[i] + (this.#firedShare[i] * scores[i] + this.#fromMembers[i])
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
    // Three words at a time: most of the cost is reading and writing the sums.
    const odd = words.length % 3
    for (let at = 0; at < odd; at++) for (let i = 0, a = words[at] * m; i < m; i++, a++) scores[i] += byWord[a]
    for (let at = odd; at < words.length; at += 3) {
      let a = words[at] * m
      let b = words[at + 1] * m
      let c = words[at + 2] * m
      for (let i = 0; i < m; i++) scores[i] = scores[i] + byWord[a++] + byWord[b++] + byWord[c++]
    }
    const factor = lengthFactor(this.#wordModel.length, words.length)
    for (let i = 0; i < m; i++) scores[i] *= factor
  }
}

/** The share of the words of each concept that counts where its anchor fired: all for classes, which words compare. */
export function firedShares(
  groups: readonly Pick<ClassGroup, 'concepts'>[],
  {firedShare}: WordWeights,
  m: number
): number[] {
  const classes = new Set(groups.flatMap(({concepts}) => concepts))
  return Array.from({length: m}, (_, i) => (classes.has(i) ? 1 : firedShare))
}

/** Log-odds added where the anchor is silent (or hidden), and in place of the prior where it fired. */
export function anchorConstants(
  concepts: Model['concepts'],
  {silent, fired, hidden, votes = []}: WordWeights,
  {anchors, words}: Pick<EvidenceUse, 'anchors' | 'words'>
): {readonly silent: readonly number[]; readonly fired: readonly number[]} {
  if (words === 'used') return {silent: anchors === 'used' ? silent : hidden, fired}
  // Votes of classes have weights of their own.
  const isVoted = new Set(votes.flatMap(({concepts: own}) => own))
  return {
    silent: concepts.map(({truePositive: t, falsePositive: e}, i) =>
      anchors === 'used' && !isVoted.has(i) ? log((1 - t) / (1 - e)) : 0
    ),
    fired: concepts.map(
      ({truePositive: t, falsePositive: e, prevalence: p}, i) => logit(p) + (isVoted.has(i) ? 0 : log(t / e))
    )
  }
}
