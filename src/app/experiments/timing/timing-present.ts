import {type ChartSeries, figure, html, type LinesChart} from '../../../use/report/index.ts'
import type {Pictures, Presentation} from '../experiment.ts'
import type {Material} from '../material.ts'
import {
  PAPER_CONCEPTS,
  paperSeconds,
  polytopeNames,
  summarizeTiming,
  type TimingRun,
  type TimingSummary
} from './timing-summary.ts'
import {conceptTable, growthTable, paperTable, rawTable, slowTable} from './timing-tables.ts'
import {timingFindings, whole} from './timing-text.ts'

/** The times of Section 5.3.1 beside ours, with the paper's method run on the same machine. */
export function presentTiming(runs: readonly TimingRun[], {name}: Material, pictures: Pictures): Presentation {
  const summary = summarizeTiming(runs)
  const svg = pictures.chart(timingChart(summary, name))
  const caption = `Seconds by number of concepts, ${name}, ${whole(summary.documents)} documents. Left: the recovery of the moments alone. Right: a whole fit from counts, with the paper's three figures, from a computer that is not known.`
  const paper = [...paperSeconds].map(
    ([polytope, seconds]) => `${whole(seconds)} s with the ${polytopeNames.get(polytope)}`
  )
  return {
    figures: [{name: 'timing', svg, caption}],
    tables: [rawTable(runs)],
    html: html`<p>The paper (Section 5.3.1) says that learning a model with ${PAPER_CONCEPTS} concepts took ${paper.join(', ')}. It does not say on which computer, nor from how many documents, so the ratios below are indicative only; those to its method, run here beside ours, are not.</p>
${timingFindings(summary)}
${figure(svg, caption, 'timing-figure')}
${paperTable(summary)}
${conceptTable(summary)}
${slowTable(summary)}
${growthTable(summary)}
<p>Seconds are of processor time, so that other work on the computer does not count, each the fastest of up to five runs (one run of the paper's method, which is fully corrective conditional gradient with the oracles of this program in place of Gurobi and Toulbar2), with Node ${[...new Set(runs.map(({result}) => result.node))].join(', ')}. A fit takes the paper's settings and learns a tree with its words; reading and counting documents come before it.</p>`
  }
}

function timingChart(summary: TimingSummary, name: string): LinesChart {
  const {concepts, learning, slow} = summary
  const polytopes = [...polytopeNames]
  const line = (name: string, found: (count: number) => number | null | undefined): ChartSeries => ({
    name,
    points: concepts.flatMap(count => {
      const y = found(count)
      return y ? [{x: count, y}] : []
    })
  })
  const ours = (what: 'moments' | 'whole') =>
    polytopes.map(([polytope, label]) => line(label, count => learning(polytope, count)?.[what]))
  const theirs = (['local', 'marginal'] as const).map(polytope =>
    line(`paper's method, ${polytopeNames.get(polytope)}`, count => slow(polytope, count)?.moments)
  )
  const printed = [...paperSeconds].map(([polytope, y]) => ({
    name: `paper, ${polytopeNames.get(polytope)}`,
    points: [{x: PAPER_CONCEPTS, y}]
  }))
  return {
    kind: 'lines',
    title: `Time to learn, ${name}`,
    description: `Seconds by number of concepts for four polytopes, on a logarithmic scale: moment recovery by our solver and by the paper's, and a whole fit beside the three figures that the paper states for ${PAPER_CONCEPTS} concepts. The tables have the same figures.`,
    x: {label: 'concepts', ticks: concepts},
    y: {label: 'seconds', log: true},
    panels: [
      {title: 'moments alone', series: [...ours('moments'), ...theirs]},
      {title: 'whole fit from counts', series: [...ours('whole'), ...printed]}
    ]
  }
}
