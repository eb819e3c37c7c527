import {rng} from '../../base/numeric/index.ts'
import {randomModel} from '../../use/synthetic/index.ts'
import type {Model} from '../model/index.ts'
import type {LogOddsChannel} from '../words/index.ts'

export interface LogOddsModel extends Model {
  readonly channel: LogOddsChannel
}

/** A random tree model whose words speak in log-odds drawn at random: nothing agrees by chance. */
export function logOddsModel(seed: number, latents: number, words: number): LogOddsModel {
  const random = rng(seed)
  const list = (length: number) => Array.from({length}, () => 2 * random.next() - 1)
  const table = (height: number, width: number) => Array.from({length: height}, () => list(width))
  const pairs = () => table(latents, latents).map((row, i) => row.with(i, 0))
  const constants = () => ({silent: list(latents), fired: list(latents), hidden: list(latents)})
  return {
    ...randomModel({latents, words, wordsPerConcept: Math.ceil(words / 4)}, rng(seed)),
    channel: {
      kind: 'log-odds',
      company: {
        prior: list(latents),
        silentAnchor: pairs(),
        firedAnchor: pairs(),
        absentTag: pairs(),
        presentTag: pairs()
      },
      weights: table(latents, words),
      length: {power: 0.3, typical: 3},
      withWords: constants(),
      withoutWords: constants(),
      firedShare: 0.3,
      threshold: 0.4,
      certificate: {
        source: 'documents',
        documents: 1000,
        slope: 1,
        likeliestSlope: 2.5,
        anchorGain: 0.1,
        expectedF1: 0.8
      }
    }
  }
}
