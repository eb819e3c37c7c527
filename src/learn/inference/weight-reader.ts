import {log, sigmoid} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Model} from '../model/index.ts'
import {createCompanyReader, lengthFactor, type WordWeights} from '../words/index.ts'
import {checkAscending, readGiven, readKnown} from './document-factors.ts'
import {checkRates} from './inference-tables.ts'
import type {EvidenceUse} from './options.ts'
import type {ConceptLabels} from './posterior.ts'

/** Reads documents whose words speak in log-odds. */
export interface LogOddsReader {
  /** P(Y_i = 1 | document) of every concept; known tags are returned as they are. */
  probabilities(evidence: Evidence, known?: ConceptLabels): Float64Array
  /** A score for each concept as the one missing tag; -Infinity for those given. */
  score(evidence: Evidence, given: readonly number[]): Float64Array
}

/**
 * Predictions by the words of `wordModel` and the anchors of `model`.
 *
 * A silent anchor: log-odds from the company of the concept, a constant, and the words. A fired one: another constant and
 * a share of the words, whatever the others say. Hidden anchors: the prior, a constant, and the words. Words of one
 * concept say nothing of another: on real text they agree too much with each other to be passed on. Last tag: log-odds
 * from the given tags, all others absent, of which a fired anchor leaves the same share, the anchor, the words.
 *
 * Everything adds up, so that each part explains its share of the result. Cost: O(m (words that occur + anchors that
 * fired)).
 */
export function createWeightReader(
  {concepts}: Pick<Model, 'concepts'>,
  wordModel: WordWeights,
  use: Pick<EvidenceUse, 'anchors' | 'words'>
): LogOddsReader {
  checkRates(concepts)
  const m = concepts.length
  const n = wordModel.weights[0].length
  const company = createCompanyReader(wordModel.company)
  const {prior} = wordModel.company
  const {silent, fired, hidden} = use.words === 'used' ? wordModel.withWords : wordModel.withoutWords
  // What a fired anchor says over a silent one, where it is one voice among others.
  const firing = Float64Array.from(
    concepts,
    ({truePositive: t, falsePositive: e}) => log(t / e) - log((1 - t) / (1 - e))
  )
  const byWord = Float64Array.from({length: n * m}, (_, at) => wordModel.weights[at % m][Math.floor(at / m)])
  const scores = new Float64Array(m)
  const tags = new Int8Array(m)
  const seesAnchors = use.anchors === 'used'

  function readWords({words, anchors}: Evidence): void {
    checkAscending(words, n, 'word')
    checkAscending(anchors, m, 'anchor')
    scores.fill(0)
    if (use.words === 'hidden') return
    for (let at = 0; at < words.length; at++) {
      const row = words[at] * m
      for (let i = 0; i < m; i++) scores[i] += byWord[row + i]
    }
    const factor = lengthFactor(wordModel.length, words.length)
    for (let i = 0; i < m; i++) scores[i] *= factor
  }

  return {
    probabilities(evidence, known) {
      readWords(evidence)
      readKnown(tags, known)
      const out = new Float64Array(m)
      if (seesAnchors) company.fromAnchors(evidence.anchors, tags, out)
      else company.fromKnown(tags, out)
      const constants = seesAnchors ? silent : hidden
      for (let i = 0; i < m; i++) out[i] += constants[i] + scores[i]
      if (seesAnchors) for (const i of evidence.anchors) out[i] = fired[i] + wordModel.firedShare * scores[i]
      for (let i = 0; i < m; i++) out[i] = tags[i] === -1 ? sigmoid(out[i]) : tags[i]
      return out
    },
    score(evidence, given) {
      readWords(evidence)
      readGiven(tags, given)
      const out = new Float64Array(m)
      company.fromTags(given, out)
      if (seesAnchors)
        for (const i of evidence.anchors)
          out[i] = firing[i] + wordModel.firedShare * out[i] + (1 - wordModel.firedShare) * prior[i]
      const constants = seesAnchors ? silent : hidden
      for (let i = 0; i < m; i++) out[i] += constants[i] + scores[i]
      for (const i of given) out[i] = Number.NEGATIVE_INFINITY
      return out
    }
  }
}
