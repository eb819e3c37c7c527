import type {Run} from '../experiment.ts'
import {type Difference, differenceOf, type Spread, spreadOf} from '../spread.ts'
import {type DriftCell, type DriftPath, type DriftResult, type DriftStep, EM_STEPS} from './em-drift-measure.ts'

export type DriftRun = Run<DriftCell, DriftResult>
export type DriftFigure = Exclude<keyof DriftStep, 'step'>

/** The results of all splits, path by path. */
export interface DriftSummary {
  /** In the order of the splits. */
  results(path: DriftPath): readonly DriftResult[]
  /** A figure after so many steps, of every split. */
  values(path: DriftPath, step: number, figure: DriftFigure): readonly number[]
  spread(path: DriftPath, step: number, figure: DriftFigure): Spread
  /** A figure where the path is left: after the last step of EM, or where `refine` stops. */
  end(path: DriftPath, figure: DriftFigure): Spread
  /** From the start to the end; of `refine`, from the start as it was, before words are weakened. */
  change(path: DriftPath, figure: DriftFigure): Difference
}

export const driftSteps: readonly number[] = Array.from({length: EM_STEPS + 1}, (_, step) => step)

export function summarizeDrift(runs: readonly DriftRun[]): DriftSummary {
  const ordered = runs.toSorted((a, b) => a.cell.split - b.cell.split)
  const results = (path: DriftPath) => ordered.filter(({cell}) => cell.path === path).map(({result}) => result)
  const pick = (path: DriftPath, stepOf: (result: DriftResult) => number, figure: DriftFigure) =>
    results(path).flatMap(result => result.steps[stepOf(result)][figure] ?? [])
  const values = (path: DriftPath, step: number, figure: DriftFigure) => pick(path, () => step, figure)
  const ends = (path: DriftPath, figure: DriftFigure) => pick(path, ({end}) => end, figure)
  const startPath = (path: DriftPath) => (path === 'refine' ? 'robust' : path)
  return {
    results,
    values,
    spread: (path, step, figure) => spreadOf(values(path, step, figure)),
    end: (path, figure) => spreadOf(ends(path, figure)),
    change: (path, figure) => differenceOf(ends(path, figure), values(startPath(path), 0, figure))
  }
}
