import type {Evidence} from '../data/index.ts'
import type {KnownTags} from '../inference/index.ts'
import type {Model} from '../model/index.ts'
import {AdfaError, log, sigmoid} from '../numeric/index.ts'
import {logPrior} from '../structure/index.ts'
import {createCompanyReader} from './company.ts'
import type {LogOddsChannel} from './log-odds-channel.ts'

/** The three questions of Section 5, asked of a model whose words speak in log-odds. */
export interface LogOddsPredictor {
  /** P(Y_i = 1 | document) of every concept; known tags are returned as they are. */
  posterior(evidence: Evidence, known?: KnownTags): Float64Array
  /** A score for each concept as the one missing tag; -Infinity for those given. */
  lastTag(evidence: Evidence, given: readonly number[]): Float64Array
  /** log P(y) of a document's tags. */
  logTags(y: ArrayLike<number>): number
}

/**
 * Predictions by the words of `channel` and the anchors of `model`; its network answers for the tags by themselves.
 *
 * A silent anchor: log-odds from the company of the concept, `silent`, and the words. A fired one: `fired` and a share
 * of the words, whatever the others say. Words of one concept say nothing of another: on real text they agree too much
 * with each other to be passed on. Last tag: log-odds from the given tags, all others absent, the anchor, the words.
 * Everything adds up, so that each part explains its share of the result. Cost: O(m (words that occur + anchors that
 * fired)).
 */
export function logOddsPredictor(model: Pick<Model, 'latents' | 'network'>, channel: LogOddsChannel): LogOddsPredictor {
  const {latents, network} = model
  const m = latents.length
  const n = channel.weights[0]?.length ?? 0
  checkChannel(m, channel)
  const company = createCompanyReader(channel.company)
  // What a fired anchor says over a silent one.
  const firing = Float64Array.from(
    latents,
    ({truePositive: t, falsePositive: e}) => log(t / e) - log((1 - t) / (1 - e))
  )
  const byWord = Float64Array.from({length: n * m}, (_, at) => channel.weights[at % m][Math.floor(at / m)])
  const scores = new Float64Array(m)

  function readWords({words, anchors}: Evidence): void {
    scores.fill(0)
    for (const j of words) {
      if (!(j >= 0 && j < n)) throw strange('word', j, n)
      for (let i = 0; i < m; i++) scores[i] += byWord[j * m + i]
    }
    for (const i of anchors) if (!(i >= 0 && i < m)) throw strange('anchor', i, m)
  }

  return {
    posterior(evidence, known) {
      readWords(evidence)
      if (known !== undefined && known.length !== m)
        throw new AdfaError(
          'mismatch',
          `known tags must have one entry for each of the ${m} concepts; got ${known.length}`
        )
      const out = new Float64Array(m)
      company.fromAnchors(evidence.anchors, out, known)
      for (let i = 0; i < m; i++) out[i] += channel.silent[i] + scores[i]
      for (const i of evidence.anchors) out[i] = channel.fired[i] + channel.firedShare * scores[i]
      for (let i = 0; i < m; i++) out[i] = known === undefined || known[i] === -1 ? sigmoid(out[i]) : known[i]
      return out
    },
    lastTag(evidence, given) {
      readWords(evidence)
      for (const i of given) if (!(i >= 0 && i < m)) throw strange('given tag', i, m)
      const out = new Float64Array(m)
      company.fromTags(given, out)
      for (let i = 0; i < m; i++) out[i] += channel.silent[i] + scores[i]
      for (const i of evidence.anchors) out[i] += firing[i]
      for (const i of given) out[i] = Number.NEGATIVE_INFINITY
      return out
    },
    logTags: y => logPrior(network, y)
  }
}

function strange(what: string, got: number, limit: number): AdfaError {
  return new AdfaError(
    'mismatch',
    `${what} ${got} of a document is none of ${limit}; read it with the model's own lexicon`
  )
}

function checkChannel(m: number, {weights, silent, fired}: LogOddsChannel): void {
  const n = weights[0]?.length ?? 0
  if (weights.length !== m || silent.length !== m || fired.length !== m || weights.some(row => row.length !== n))
    throw new AdfaError(
      'mismatch',
      `a log-odds channel has a row of weights and two constants a concept, rows equally long; got ${weights.length}, ${silent.length} and ${fired.length} for ${m} concepts`
    )
}
