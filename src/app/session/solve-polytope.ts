/** The moments of the concepts over one polytope, as `adfa fit --polytope P --structure indegree:1` recovers them. */
import {ratesOfModel} from '../../learn/bootstrap.ts'
import {networkRates} from '../../learn/fit.ts'
import type {LearnOptions} from '../../learn/learn.ts'
import {type MomentCertificate, type Moments, type PolytopeName, recoverMoments} from '../../learn/moments/index.ts'
import type {NoiseCertificate} from '../../learn/noise/index.ts'
import {presets} from '../../learn/options.ts'
import type {Counts} from '../../read/counts/index.ts'

export interface PolytopeTask {
  readonly counts: Counts
  /** Of the model: rates, and which concepts have any. */
  readonly noise: NoiseCertificate
  readonly options: LearnOptions
  readonly polytope: PolytopeName
}

/** How far a solver was after some seconds. */
export interface GapPoint {
  readonly seconds: number
  readonly objective: number
  readonly gap: number
}

export interface SolvedPolytope {
  readonly certificate: MomentCertificate
  readonly history: readonly GapPoint[]
  /** The pairs whose probability differs most from that of the simplex, where every table is a problem of its own. */
  readonly moved: readonly MovedPair[]
}

export interface MovedPair {
  readonly pair: readonly [string, string]
  /** P(both concepts) over the simplex and over this polytope. */
  readonly simplex: number
  readonly here: number
}

const MOVED = 5
/** A longer history is thinned out; the first and the last point stay. */
const MOST_POINTS = 200

export async function solvePolytope(
  task: PolytopeTask,
  onPoint: (point: GapPoint) => void,
  clock: () => number
): Promise<SolvedPolytope> {
  const {counts, noise, polytope} = task
  const names = noise.concepts.map(({concept}) => concept)
  const {data, noise: rates} = ratesOfModel(counts, noise)
  const {preset = 'robust', seed = 0} = task.options
  const {shrinkage} = presets[preset]
  const recovered = (name: PolytopeName, control: Parameters<typeof recoverMoments>[3]) =>
    recoverMoments(data, networkRates(rates, {preset}), {polytope: name, shrinkage, seed}, control)
  const began = clock()
  const history: GapPoint[] = []
  const moments = await recovered(polytope, {
    clock,
    onProgress({objective, gap}) {
      if (!Number.isFinite(objective + gap)) return
      history.push({seconds: clock() - began, objective, gap})
      onPoint(history[history.length - 1])
    }
  })
  const {certificate} = moments
  history.push({seconds: certificate.seconds ?? 0, objective: certificate.objective, gap: certificate.gap})
  const moved = polytope === 'simplex' ? [] : movedPairs(names, await recovered('simplex', {}), moments)
  return {certificate, history: thinned(history), moved}
}

function movedPairs(names: readonly string[], simplex: Moments, here: Moments): MovedPair[] {
  const pairs = names.flatMap((first, i) =>
    names.slice(i + 1).map((second, at): MovedPair => {
      const k = i + 1 + at
      return {pair: [first, second], simplex: simplex.pair(i, k)[3], here: here.pair(i, k)[3]}
    })
  )
  const size = ({simplex, here}: MovedPair) => Math.abs(here - simplex)
  return pairs.sort((a, b) => size(b) - size(a)).slice(0, MOVED)
}

function thinned(points: readonly GapPoint[]): readonly GapPoint[] {
  const step = Math.ceil(points.length / MOST_POINTS)
  return points.filter((_, at) => at % step === 0 || at === points.length - 1)
}
