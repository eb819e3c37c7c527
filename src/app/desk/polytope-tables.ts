/** The polytopes of a model side by side. */
import {type Chart, statusText} from '../../use/report/index.ts'
import type {PolytopesView, PolytopeView, TableView} from './comparison-views.ts'

export function polytopesView(columns: readonly PolytopeView[]): PolytopesView {
  const chart = gapChart(columns)
  return {columns, sections: [certificates(columns), movedPairs(columns)], ...(chart && {chart})}
}

/** In the order of the polytopes, which is no ranking: each lies inside the one before. */
function certificates(columns: readonly PolytopeView[]): TableView {
  return {
    title: 'Objective, bound and gap',
    none: 'Nothing is solved yet.',
    head: ['Polytope', 'Objective', 'Bound', 'Gap', 'Status', 'Seconds'],
    rows: columns.map(({polytope, certificate}) => {
      if (certificate === undefined) return [polytope, 'no certificate', '', '', 'stopped', '']
      const {objective, lowerBound, gap, seconds = 0} = certificate
      const figures = [objective.toPrecision(6), lowerBound.toPrecision(6), gap.toExponential(1)]
      return [polytope, ...figures, statusText(certificate), seconds.toFixed(2)]
    })
  }
}

/** Of each polytope. */
const SHOWN = 3

function movedPairs(columns: readonly PolytopeView[]): TableView {
  const share = (value: number) => `${(100 * value).toFixed(2)}%`
  return {
    title: 'Pairs moved most from the simplex',
    none: 'No other polytope is solved yet.',
    head: ['Pair', 'Polytope', 'Both, over the simplex', 'Both, here'],
    rows: columns.flatMap(({polytope, moved}) =>
      moved.slice(0, SHOWN).map(({pair, simplex, here}) => [pair.join(' and '), polytope, share(simplex), share(here)])
    )
  }
}

/** The least gap that a logarithmic axis shows. */
const LEAST_GAP = 1e-12

/** The certified gap over time; a polytope without a proven gap is left out. */
function gapChart(columns: readonly PolytopeView[]): Chart | undefined {
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
