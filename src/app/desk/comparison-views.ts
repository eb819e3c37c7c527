/** What the Compare page asks and shows. */
import {percent} from '../../base/text/index.ts'
import type {MomentCertificate, PolytopeName} from '../../learn/moments/index.ts'
import type {Comparison, Figure} from '../../use/comparison/index.ts'
import type {BarsChart, LinesChart} from '../../use/report/index.ts'
import type {FitSettings} from './project.ts'
import type {GapPoint, MovedPair} from './solve-polytope.ts'

/** One side of a comparison: the model as it is, a snapshot, or the project learned with other settings. */
export type Side =
  | {readonly kind: 'now'}
  | {readonly kind: 'snapshot'; readonly name: string}
  | {readonly kind: 'fit'; readonly fit: FitSettings}

export interface ComparisonView {
  /** As the library gives it, with the documents that cross the threshold. */
  readonly comparison: Comparison
  /** What is to be known of it, in sentences: other documents, the rule of the verdicts. */
  readonly notes: readonly string[]
  /** Concepts whose documents can be listed, by the names of the second side: their names in the project today. */
  readonly today: readonly (readonly [name: string, today: string])[]
}

export interface PolytopeView {
  readonly polytope: PolytopeName
  /** Undefined where the solver was stopped before it had proven anything. */
  readonly certificate?: Pick<MomentCertificate, 'objective' | 'lowerBound' | 'gap' | 'status' | 'steps' | 'seconds'>
  readonly history: readonly GapPoint[]
  readonly moved: readonly MovedPair[]
}

/** Prevalences of both sides with their intervals, in the order of the comparison. */
export function comparisonChart({concepts}: Comparison, titles: readonly [string, string]): BarsChart | undefined {
  const rows = concepts.flatMap(({concept, rates: {prevalence}}) => (prevalence ? [{concept, prevalence}] : []))
  if (rows.length === 0) return undefined
  const ends = ({low, high}: Figure) => (low === undefined || high === undefined ? {} : {low, high})
  const panel = (side: 'a' | 'b', title: string) => ({
    title,
    bars: rows.map(({concept, prevalence}) => {
      const figure = prevalence[side]
      return {name: concept, value: figure.value, ...ends(figure), group: prevalence.verdict}
    })
  })
  const said = rows.map(
    ({concept, prevalence: {a, b, verdict}}) => `${concept} ${percent(a.value)} and ${percent(b.value)}, ${verdict}`
  )
  return {
    kind: 'bars',
    title: 'Prevalences of both',
    description: `${titles[0]} and ${titles[1]}: ${said.join('; ')}.`,
    x: {label: 'share of documents, with 90% interval', percent: true},
    panels: [panel('a', `A: ${titles[0]}`), panel('b', `B: ${titles[1]}`)]
  }
}

/** The least gap that a logarithmic axis shows. */
const LEAST_GAP = 1e-12

/** The certified gap over time; a polytope without a proven gap is left out. */
export function gapChart(columns: readonly PolytopeView[]): LinesChart | undefined {
  const series = columns.flatMap(({polytope, history}) => {
    const points = history.filter(({gap}) => gap >= LEAST_GAP).map(({seconds, gap}) => ({x: seconds, y: gap}))
    return points.length === 0 ? [] : [{name: polytope, points}]
  })
  if (series.length === 0) return undefined
  const said = series.map(({name, points}) => `${name} ends at ${points[points.length - 1].y.toExponential(1)}`)
  return {
    kind: 'lines',
    title: 'Gap over time',
    description: `The certified gap of each polytope over the seconds of its solver: ${said.join(', ')}.`,
    x: {label: 'seconds'},
    y: {label: 'gap', log: true},
    panels: [{title: '', series}]
  }
}
