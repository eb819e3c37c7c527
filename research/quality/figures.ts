import {qualityCorpora} from './corpora.ts'
import type {QualityRow} from './measure.ts'
import {type QualityRun, readRuns} from './results.ts'
import type {Setting} from './settings.ts'
import {type Estimate, estimate} from './statistics.ts'

/** A number of a row. */
export interface Figure {
  readonly of: (row: QualityRow) => number | undefined
  /** Whether more of it is better. */
  readonly sign: 1 | -1
  readonly digits: number
}

export const figures = {
  lastTag: {of: row => row.lastTag, sign: 1, digits: 3},
  averagePrecision: {of: row => row.averagePrecision, sign: 1, digits: 3},
  logLikelihood: {of: row => row.logLikelihood, sign: 1, digits: 2},
  macroAuc: {of: row => row.macroAuc, sign: 1, digits: 3},
  microF1: {of: row => row.microF1, sign: 1, digits: 3},
  macroF1: {of: row => row.macroF1, sign: 1, digits: 3},
  thresholdMicroF1: {of: row => row.thresholdMicroF1, sign: 1, digits: 3},
  thresholdMacroF1: {of: row => row.thresholdMacroF1, sign: 1, digits: 3},
  brier: {of: row => row.brier, sign: -1, digits: 4},
  calibrationError: {of: row => row.calibrationError, sign: -1, digits: 4},
  trainingSeconds: {of: row => row.trainingSeconds, sign: -1, digits: 1},
  documentsPerSecond: {of: row => row.documentsPerSecond, sign: 1, digits: 0}
} as const satisfies Record<string, Figure>

export type FigureName = keyof typeof figures

/** All that was recorded. */
export class Recorded {
  readonly corpora = qualityCorpora.filter(({name}) => readRuns(name).length > 0)
  readonly #runs = new Map(this.corpora.map(({name}) => [name, readRuns(name)]))

  runs(corpus: string): readonly QualityRun[] {
    return this.#runs.get(corpus) ?? []
  }

  /** The figure of a method for each seed. */
  seeds(corpus: string, setting: Setting, method: string, figure: FigureName): ReadonlyMap<number, number> {
    const pairs = this.runs(corpus)
      .filter(run => run.setting === setting)
      .flatMap(({seed, rows}): [number, number][] => {
        const row = rows.find(one => one.method === method)
        const value = row && figures[figure].of(row)
        return value === undefined ? [] : [[seed, value]]
      })
    return new Map(pairs)
  }

  estimate(corpus: string, setting: Setting, method: string, figure: FigureName): Estimate | undefined {
    const values = [...this.seeds(corpus, setting, method, figure).values()]
    return values.length === 0 ? undefined : estimate(values)
  }
}
