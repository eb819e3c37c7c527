import type {Corpus, CorpusDocument} from '../data/index.ts'
import type {Model} from '../model/index.ts'
import {AdfaError, hashShare, withDefaults} from '../numeric/index.ts'
import {anchorScores} from './anchor-score.ts'
import {weakenWords} from './weaken-words.ts'

export interface StrengthOptions {
  /** Parts that the documents are dealt into; each is foretold by a model learned from the others. */
  readonly folds: number
  /** Documents that are foretold, at most, all folds together. */
  readonly documents: number
  /** Decides which documents are held out together. */
  readonly seed: number
}

export const strengthDefaults: StrengthOptions = {folds: 3, documents: 1000, seed: 0}

export interface LikeliestStrength {
  /** In [0.1, 1]. */
  readonly strength: number
  readonly documents: number
  /** Mean log-likelihood of a held-out document's anchors, in nats: at that strength, at 1, and without words. */
  readonly score: number
  readonly scoreAtOne: number
  readonly scoreWithoutWords: number
}

const WEAKEST = 0.1
const TOLERANCE = 0.03
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * How strongly words should speak: the power of all failures at which the anchors of held-out documents are likeliest, given everything but
 * themselves ({@link anchorScores}). No tag is read. Words of real text repeat each other, so that it is below 1 there;
 * where the documents come from a model of this kind it goes to 1 as they grow in number.
 *
 * `learn` learns a model from some of the documents, with all concepts and words. By golden section: the score rises, then falls.
 * Cost: `folds` models, and about ten readings of the held-out documents.
 */
export function likeliestStrength(
  corpus: Pick<Corpus, 'documents'>,
  learn: (documents: readonly CorpusDocument[]) => Model,
  options?: Partial<StrengthOptions>
): LikeliestStrength {
  const {folds, documents, seed} = checkOptions(options, corpus.documents.length)
  const part = corpus.documents.map(({key}) => Math.floor(folds * hashShare(key, seed)))
  const held = Array.from({length: folds}, (_, fold) => {
    const own = corpus.documents.filter((_, d) => part[d] === fold)
    return {
      model: learn(corpus.documents.filter((_, d) => part[d] !== fold)),
      documents: own.slice(0, Math.ceil(documents / folds))
    }
  })
  const count = held.reduce((sum, fold) => sum + fold.documents.length, 0)
  const scoreAt = (strength: number) =>
    held.reduce((sum, fold) => sum + total(anchorScores(weakenWords(fold.model, strength), fold.documents)), 0) / count
  const found = goldenSection(scoreAt, WEAKEST, 1)
  const scoreAtOne = scoreAt(1)
  const isOneBest = scoreAtOne >= found.value
  return {
    strength: isOneBest ? 1 : found.place,
    documents: count,
    score: isOneBest ? scoreAtOne : found.value,
    scoreAtOne,
    scoreWithoutWords: scoreAt(0)
  }
}

function goldenSection(measure: (place: number) => number, least: number, most: number) {
  const at = (place: number) => ({place, value: measure(place)})
  let [low, high] = [least, most]
  let left = at(high - GOLDEN * (high - low))
  let right = at(low + GOLDEN * (high - low))
  while (high - low > TOLERANCE) {
    if (left.value >= right.value) {
      high = right.place
      right = left
      left = at(high - GOLDEN * (high - low))
    } else {
      low = left.place
      left = right
      right = at(low + GOLDEN * (high - low))
    }
  }
  return left.value >= right.value ? left : right
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function checkOptions(options: Partial<StrengthOptions> | undefined, available: number): StrengthOptions {
  const full = withDefaults('likeliestStrength', strengthDefaults, options)
  const refuse = (name: keyof StrengthOptions, rule: string) =>
    new AdfaError('bad-option', `likeliestStrength option "${name}" must be ${rule}; got ${full[name]}`)
  if (!(Number.isSafeInteger(full.folds) && full.folds >= 2)) throw refuse('folds', 'a whole number from 2 on')
  if (!(Number.isSafeInteger(full.documents) && full.documents >= 1))
    throw refuse('documents', 'a whole number from 1 on')
  if (!Number.isSafeInteger(full.seed)) throw refuse('seed', 'a whole number')
  if (available < full.folds)
    throw new AdfaError(
      'bad-document',
      `likeliestStrength needs at least ${full.folds} documents, one a fold; got ${available}`
    )
  return full
}
