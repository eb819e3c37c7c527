import {type DriftRun, type DriftStep, type Method, methods} from './em-drift-measure.ts'

/** Mean over the splits and its standard error; 0 for one split, which has none. */
export interface Spread {
  readonly mean: number
  readonly error: number
}

export type Measure = Exclude<keyof DriftStep, 'step'>

/** All splits of one corpus. */
export interface DriftSummary {
  readonly corpus: string
  readonly runs: readonly DriftRun[]
  /** One entry a step, from 0 on. */
  readonly paths: Readonly<Record<Method, readonly Readonly<Record<Measure, Spread>>[]>>
  /** What `refine` took. */
  readonly refined: Readonly<Record<Measure, Spread>>
  readonly anchorsOnly: {readonly lastTag: Spread; readonly averagePrecision: Spread}
  readonly kept: Readonly<Record<Method, Spread>>
}

/** Real text in the order of its names, generated documents last; the splits of each by their seeds. */
export function inOrder(runs: readonly DriftRun[]): DriftRun[] {
  const place = ({corpus}: DriftRun) => (corpus === 'generated' ? `1 ${corpus}` : `0 ${corpus}`)
  return [...runs].sort((a, b) => (place(a) === place(b) ? a.seed - b.seed : place(a) < place(b) ? -1 : 1))
}

export function summarize(all: readonly DriftRun[]): DriftSummary[] {
  const ordered = inOrder(all)
  return [...new Set(ordered.map(({corpus}) => corpus))].map(corpus => {
    const runs = ordered.filter(run => run.corpus === corpus)
    return {
      corpus,
      runs,
      paths: byMethod(method =>
        runs[0].paths[method].map((_, step) => spreads(runs.map(({paths}) => paths[method][step])))
      ),
      refined: spreads(runs.map(chosenStep)),
      anchorsOnly: {
        lastTag: spread(runs.map(({anchorsOnly}) => anchorsOnly.lastTag)),
        averagePrecision: spread(runs.map(({anchorsOnly}) => anchorsOnly.averagePrecision))
      },
      kept: byMethod(method => spread(runs.map(({kept}) => kept[method])))
    }
  })
}

/** Where the path of `refine` is left. */
export function chosenStep({paths, chosen}: DriftRun): DriftStep {
  return paths.refine[chosen.step]
}

function spreads(steps: readonly DriftStep[]): Record<Measure, Spread> {
  return {
    lastTag: spread(steps.map(({lastTag}) => lastTag)),
    averagePrecision: spread(steps.map(({averagePrecision}) => averagePrecision)),
    bound: spread(steps.map(({bound}) => bound))
  }
}

function spread(values: readonly number[]): Spread {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {mean, error: n > 1 ? Math.sqrt(square / (n - 1) / n) : 0}
}

function byMethod<T>(of: (method: Method) => T): Record<Method, T> {
  return Object.fromEntries(methods.map(method => [method, of(method)])) as Record<Method, T>
}
