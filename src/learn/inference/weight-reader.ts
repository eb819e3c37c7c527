import {type Beliefs, type ConceptEvidence, createBeliefs} from '../../base/network/index.ts'
import {sigmoid} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Model} from '../model/index.ts'
import {type AnchorConstants, documentScale, EvidenceReader, type WordScale, type WordWeights} from '../robust/index.ts'
import {type ClassGroup, classGroups, decideLabels, excludeCandidates, excludeClasses} from '../votes/index.ts'
import {checkAscending, readGiven, readLabels} from './document-factors.ts'
import type {ConceptLabels, EvidenceUse} from './posterior.ts'

/**
 * Predicts by the network, the anchors and the word weights of a model.
 *
 * The evidence on a concept is a constant for the state of its anchor plus the log-odds of the words; beliefs over the network
 * add the evidence of other concepts. Where the anchor fired, its constant, its members and the words times a factor determine
 * the probability, and other concepts do not change it. Without words the constants follow from the rates by Bayes' rule.
 * Cost: O(m words that occur), and the beliefs.
 */
export class WeightReader {
  /** One constant per concept, added where its anchor is silent or hidden, and one that replaces the prior where it fired. */
  readonly constants: AnchorConstants
  /** The factor of the words' evidence on each concept where its anchor fired. */
  readonly firedFactors: readonly number[]
  readonly #use: Pick<EvidenceUse, 'anchors' | 'words'>
  readonly #scale: WordScale
  readonly #beliefs: Beliefs
  /** The weights of word j, concept i at `j * m + i`. */
  readonly #byWord: Float64Array
  readonly #reader: EvidenceReader
  /** Scratch space: the log-odds of the words of a document, and what the document adds to `silent` and to `fired`. */
  readonly #scores: Float64Array
  readonly #silent: Float64Array
  readonly #fired: Float64Array
  readonly #evidence: ConceptEvidence
  readonly #groups: readonly ClassGroup[]

  constructor(
    {concepts, network, lexicon}: Pick<Model, 'concepts' | 'network' | 'lexicon'>,
    wordModel: WordWeights,
    use: Pick<EvidenceUse, 'anchors' | 'words'>
  ) {
    const m = concepts.length
    this.#groups = classGroups({concepts, lexicon})
    this.#reader = new EvidenceReader(lexicon, wordModel)
    this.firedFactors = this.#reader.firedFactors
    this.constants = constantsOf(this.#reader, concepts, wordModel, use)
    this.#use = use
    this.#scale = wordModel.scale
    this.#beliefs = createBeliefs(network)
    const length = m * wordModel.weights[0].length
    this.#byWord = Float64Array.from({length}, (_, at) => wordModel.weights[at % m][Math.floor(at / m)])
    this.#scores = new Float64Array(m)
    this.#silent = new Float64Array(m)
    this.#fired = new Float64Array(m)
    this.#evidence = {logOdds: new Float64Array(m), isFired: new Uint8Array(m), labels: new Int8Array(m)}
  }

  get isExact(): boolean {
    return this.#beliefs.isExact
  }

  /** Returns P(Y_i = 1 | document) of every concept; known labels are returned unchanged. */
  probabilities(evidence: Evidence, given?: ConceptLabels): Float64Array {
    const out = this.logOdds(evidence, given)
    const {labels} = this.#evidence
    for (let i = 0; i < out.length; i++) out[i] = labels[i] === -1 ? sigmoid(out[i]) : labels[i]
    return out
  }

  /** Returns the log-odds of every concept without a label; those of labelled concepts are unspecified. */
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

  /** Returns the log-odds that each other concept gave concept i in the last document; entry i is the rest, due to several. */
  parts(i: number): Float64Array {
    return this.#beliefs.parts(i)
  }

  /** Scores each concept as the missing tag: by its log-odds if the given ones are present and all others absent. */
  score(evidence: Evidence, given: readonly number[]): Float64Array {
    readGiven(this.#evidence.labels, given)
    this.#readEvidence(evidence)
    const {logOdds, isFired} = this.#evidence
    const out = new Float64Array(logOdds.length)
    this.#beliefs.conditionalLogOdds(given, out)
    for (let i = 0; i < out.length; i++) out[i] = logOdds[i] + (isFired[i] ? this.#beliefs.prior[i] : out[i])
    for (const i of given) out[i] = Number.NEGATIVE_INFINITY
    excludeCandidates(this.#groups, given, out)
    return out
  }

  #readEvidence(document: Evidence): void {
    this.#readWords(document)
    const {logOdds, isFired} = this.#evidence
    const {silent, fired} = this.constants
    isFired.fill(0)
    if (this.#use.anchors === 'hidden') {
      for (let i = 0; i < logOdds.length; i++) logOdds[i] = silent[i] + this.#scores[i]
      return
    }
    if (this.#reader.hasMembers) checkAscending(document.members, this.#reader.memberCount, 'member')
    this.#reader.read(this.#scores, document.members, this.#silent, this.#fired)
    for (let i = 0; i < logOdds.length; i++) logOdds[i] = silent[i] + this.#silent[i]
    for (const i of document.anchors) {
      isFired[i] = 1
      // The prior, which the beliefs add, is part of the constant.
      logOdds[i] = fired[i] - this.#beliefs.prior[i] + this.#fired[i]
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
    const rest = words.length % 3
    for (let at = 0; at < rest; at++) for (let i = 0, a = words[at] * m; i < m; i++, a++) scores[i] += byWord[a]
    for (let at = rest; at < words.length; at += 3) {
      let a = words[at] * m
      let b = words[at + 1] * m
      let c = words[at + 2] * m
      for (let i = 0; i < m; i++) scores[i] = scores[i] + byWord[a++] + byWord[b++] + byWord[c++]
    }
    const factor = documentScale(this.#scale, words)
    for (let i = 0; i < m; i++) scores[i] *= factor
  }
}

/**
 * Returns the constant that each concept's log-odds get when its anchor is absent (`silent`) or present (`fired`). If words are
 * used, these are the constants fitted with the word weights; otherwise they follow by Bayes' rule from the anchor's rates. If
 * anchors are hidden, `silent` is the constant for a document whose anchors are unknown: the fitted one with words, 0 without.
 */
function constantsOf(
  reader: EvidenceReader,
  concepts: Model['concepts'],
  {silent, fired, hidden}: WordWeights,
  {anchors, words}: Pick<EvidenceUse, 'anchors' | 'words'>
): AnchorConstants {
  if (words === 'used') return {silent: anchors === 'used' ? silent : hidden, fired}
  const byRates = reader.constants({
    truePositive: concepts.map(concept => concept.truePositive),
    falsePositive: concepts.map(concept => concept.falsePositive),
    prevalence: concepts.map(concept => concept.prevalence)
  })
  return anchors === 'used' ? byRates : {...byRates, silent: concepts.map(() => 0)}
}
