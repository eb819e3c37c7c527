import {log, sigmoid} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Model} from '../model/index.ts'
import {createCompanyReader, lengthFactor, type WordWeights} from '../words/index.ts'
import {checkAscending, readGiven, readLabels} from './document-factors.ts'
import {checkRates} from './inference-tables.ts'
import type {EvidenceUse} from './options.ts'
import type {ConceptLabels} from './posterior.ts'

/**
 * Predictions by the word weights of `wordModel` and the anchors of `model`.
 *
 * Log-odds are sums, so each part explains its share of the result. Anchor did not fire: the evidence of other concepts, a
 * constant, and the words. Anchor fired: another constant and a share of the words. Hidden anchors: the prior, a constant,
 * and the words. Words of one concept do not affect another: on real text they are too dependent to be passed on. Last
 * tag: the given tags, all others absent, of which a fired anchor leaves the same share; the anchor; the words.
 * Cost: O(m (words that occur + anchors that fired)).
 */
export class WeightReader {
  readonly #wordModel: WordWeights
  readonly #use: Pick<EvidenceUse, 'anchors' | 'words'>
  readonly #company: ReturnType<typeof createCompanyReader>
  /** The constants where an anchor is silent (or hidden), and where it fired. */
  readonly #constants: readonly number[]
  readonly #fired: readonly number[]
  /** The log-likelihood ratio of a fired anchor over a silent one, for the last tag. */
  readonly #firing: Float64Array
  /** Weights by word: word j, concept i at `j * m + i`. */
  readonly #byWord: Float64Array
  /** Evidence from the words of one document, one log-odds per concept. */
  readonly #scores: Float64Array
  readonly #labels: Int8Array

  constructor(
    {concepts}: Pick<Model, 'concepts'>,
    wordModel: WordWeights,
    use: Pick<EvidenceUse, 'anchors' | 'words'>
  ) {
    checkRates(concepts)
    const m = concepts.length
    const {silent, fired, hidden} = use.words === 'used' ? wordModel.withWords : wordModel.withoutWords
    this.#wordModel = wordModel
    this.#use = use
    this.#company = createCompanyReader(wordModel.company)
    this.#constants = use.anchors === 'used' ? silent : hidden
    this.#fired = fired
    this.#firing = Float64Array.from(
      concepts,
      ({truePositive: t, falsePositive: e}) => log(t / e) - log((1 - t) / (1 - e))
    )
    const length = m * wordModel.weights[0].length
    this.#byWord = Float64Array.from({length}, (_, at) => wordModel.weights[at % m][Math.floor(at / m)])
    this.#scores = new Float64Array(m)
    this.#labels = new Int8Array(m)
  }

  /** P(Y_i = 1 | document) of every concept; labels are returned as they are. */
  probabilities(evidence: Evidence, given?: ConceptLabels): Float64Array {
    this.#readWords(evidence)
    const labels = this.#labels
    readLabels(labels, given)
    const scores = this.#scores
    const constants = this.#constants
    const out = new Float64Array(scores.length)
    const seesAnchors = this.#use.anchors === 'used'
    if (seesAnchors) this.#company.fromAnchors(evidence.anchors, labels, out)
    else this.#company.fromKnown(labels, out)
    for (let i = 0; i < out.length; i++) out[i] += constants[i] + scores[i]
    if (seesAnchors) for (const i of evidence.anchors) out[i] = this.#fired[i] + this.#wordModel.firedShare * scores[i]
    for (let i = 0; i < out.length; i++) out[i] = labels[i] === -1 ? sigmoid(out[i]) : labels[i]
    return out
  }

  /** A score for each concept as the one missing tag; -Infinity for the given tags. */
  score(evidence: Evidence, given: readonly number[]): Float64Array {
    this.#readWords(evidence)
    readGiven(this.#labels, given)
    const scores = this.#scores
    const constants = this.#constants
    const {firedShare, company} = this.#wordModel
    const out = new Float64Array(scores.length)
    this.#company.fromTags(given, out)
    if (this.#use.anchors === 'used')
      for (const i of evidence.anchors)
        out[i] = this.#firing[i] + firedShare * out[i] + (1 - firedShare) * company.prior[i]
    for (let i = 0; i < out.length; i++) out[i] += constants[i] + scores[i]
    for (const i of given) out[i] = Number.NEGATIVE_INFINITY
    return out
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
