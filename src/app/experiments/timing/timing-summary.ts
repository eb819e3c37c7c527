import type {PolytopeName} from '../../../learn/polytopes/index.ts'
import type {Run} from '../experiment.ts'
import type {TimingCell, TimingResult} from './timing-measure.ts'

export type TimingRun = Run<TimingCell, TimingResult>

/** What pictures and tables call the polytopes, from loose to tight. */
export const polytopeNames: ReadonlyMap<PolytopeName, string> = new Map([
  ['simplex', 'simplex'],
  ['local', 'local polytope'],
  ['cycle', 'cycle polytope'],
  ['marginal', 'marginal polytope']
])

/** Section 5.3.1, in seconds: "learning a model with 50 concept variables". */
export const paperSeconds: ReadonlyMap<PolytopeName, number> = new Map([
  ['simplex', 30],
  ['local', 519],
  ['marginal', 6073]
])
export const PAPER_CONCEPTS = 50

export interface TimingSummary {
  /** Of the largest learning task. */
  readonly documents: number
  /** Numbers of concepts, ascending. */
  readonly concepts: readonly number[]
  /** The number of concepts that is nearest to the paper's. */
  readonly beside: number
  readonly counting: TimingRun | undefined
  /** By ascending number of documents, all concepts. */
  readonly sizes: readonly number[]
  learning(polytope: PolytopeName, concepts: number, documents?: number): TimingResult | undefined
  slow(polytope: PolytopeName, concepts: number): TimingResult | undefined
}

export function summarizeTiming(runs: readonly TimingRun[]): TimingSummary {
  const learned = runs.filter(({cell}) => cell.task === 'learning').map(({cell}) => cell)
  const rising = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
  const concepts = rising(learned.map(cell => cell.concepts))
  const sizes = rising(learned.map(cell => cell.documents))
  const all = sizes[sizes.length - 1]
  const find = (task: TimingCell['task'], polytope: PolytopeName, count: number, documents = all) =>
    runs.find(
      ({cell}) =>
        cell.task === task && cell.polytope === polytope && cell.concepts === count && cell.documents === documents
    )?.result
  const distance = (count: number) => Math.abs(count - PAPER_CONCEPTS)
  return {
    documents: all,
    concepts,
    beside: concepts.reduce((best, count) => (distance(count) < distance(best) ? count : best)),
    counting: runs.find(({cell}) => cell.task === 'counting'),
    sizes,
    learning: (polytope, count, documents) => find('learning', polytope, count, documents),
    slow: (polytope, count) => find('conditional-gradient', polytope, count)
  }
}
