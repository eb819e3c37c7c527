import type {Rng} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Baseline} from './baseline.ts'
import type {TagLists} from './network-from-tags.ts'

/** One draw of every document's tags, each concept by itself with the chance that the classifiers give it (Section 5.4). */
export function imputeTags(
  {posterior}: Pick<Baseline, 'posterior'>,
  documents: readonly {readonly evidence: Evidence}[],
  random: Rng
): TagLists {
  return documents.map(({evidence}) => {
    const chances = Array.from(posterior(evidence))
    return chances.flatMap((chance, i) => (random.next() < chance ? [i] : []))
  })
}
