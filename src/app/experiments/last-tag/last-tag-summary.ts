import type {Run} from '../experiment.ts'
import {type Difference, differenceOf, type Spread, spreadOf} from '../spread.ts'
import type {LastTagCell, LastTagResult, MethodFigures} from './last-tag-measure.ts'
import {type MethodId, methods} from './last-tag-methods.ts'

/** The results of all splits, method by method. */
export interface LastTagSummary {
  /** A figure of every split that has it, in the order of the splits: the same splits for all methods. */
  values(id: MethodId, figure: keyof MethodFigures): readonly number[]
  spread(id: MethodId, figure: keyof MethodFigures): Spread
  /** How much better `one` is at the last tag than `other`. */
  difference(one: MethodId, other: MethodId): Difference
  /** The best at the last tag, in the mean over the splits; the first of equals. */
  best(among: readonly MethodId[]): MethodId
}

export function summarizeLastTag(runs: readonly Run<LastTagCell, LastTagResult>[]): LastTagSummary {
  const ordered = runs.toSorted((a, b) => a.cell.split - b.cell.split)
  const values = (id: MethodId, figure: keyof MethodFigures) =>
    ordered.flatMap(({result}) => result.figures[id]?.[figure] ?? [])
  const spread = (id: MethodId, figure: keyof MethodFigures) => spreadOf(values(id, figure))
  const mean = (id: MethodId) => spread(id, 'lastTag').mean
  return {
    values,
    spread,
    difference: (one, other) => differenceOf(values(one, 'lastTag'), values(other, 'lastTag')),
    best: among => among.reduce((best, id) => (mean(id) > mean(best) ? id : best))
  }
}

/** Those that are shown no tag but what the rates of the anchors tell. */
export const withoutTags: readonly MethodId[] = methods.filter(({group}) => group !== 'oracles').map(({id}) => id)
/** The paper's "Baseline" is the best of these: Natarajan et al. (2013), by either loss, in either variant. */
export const noiseTolerant: readonly MethodId[] = methods.filter(({id}) => id.startsWith('noise-')).map(({id}) => id)
export const independentOracles: readonly MethodId[] = ['oracle-mom-independent', 'oracle-ml-independent']
