import {grouped} from '../../../src/base/text/index.ts'
import {type ChartSeries, figure, html, htmlTable, type LinesChart, type Markup} from '../../../src/use/report/index.ts'
import type {Experiment, Pictures, Presentation, ResultTable} from '../experiment.ts'
import type {Material} from '../material.ts'
import {numberTable} from '../presentation.ts'
import {trainingCount} from '../split.ts'
import {
  PAPER_CONCEPTS,
  paperSeconds,
  polytopeNames,
  short,
  summarizeTiming,
  type TimingRun,
  type TimingSummary,
  times,
  timingFindings
} from './findings.ts'
import {measureTime, type TimingCell, type TimingResult} from './measure.ts'

const CONCEPTS = [10, 20, 30, 40, 50]
/** Beyond these numbers of concepts a recovery can take minutes. */
const MOST_MARGINAL = 60
const MOST_SLOW = 50

/** Section 5.3.1: how long learning takes, by polytope, concepts and documents, and with the paper's method. */
export const timing: Experiment<TimingCell, TimingResult> = {
  name: 'timing',
  title: 'Time to learn, by polytope',
  isTimed: true,
  cells(material, {seed, gap}) {
    const all = material.lexicon.anchors.length
    const rest = {seed, ...(gap && {gap})}
    const documents = trainingCount(material)
    const counts = [...CONCEPTS.filter(count => count < all), all]
    const learning = (concepts: number, some: number) =>
      [...polytopeNames.keys()]
        .filter(polytope => polytope !== 'marginal' || concepts <= MOST_MARGINAL)
        .map((polytope): TimingCell => ({task: 'learning', polytope, concepts, documents: some, ...rest}))
    const slow = counts
      .filter(concepts => concepts <= MOST_SLOW)
      .flatMap(concepts =>
        (['local', 'marginal'] as const).map(
          (polytope): TimingCell => ({task: 'conditional-gradient', polytope, concepts, documents, ...rest})
        )
      )
    return [
      {task: 'counting', polytope: 'none', concepts: all, documents, seed},
      ...counts.flatMap(concepts => learning(concepts, documents)),
      // After the others, so that warming up does not make few documents look slow.
      ...[documents / 4, documents / 2].flatMap(some => learning(all, Math.round(some))),
      ...slow
    ]
  },
  // Roughly seconds.
  cost({task, polytope, concepts}) {
    if (task === 'conditional-gradient') return 0.1 + 22 * (concepts / 50) ** 2
    return 2 + (polytope === 'marginal' ? 6 * (concepts / 50) ** 2 : 0)
  },
  measure: measureTime,
  present: presentTiming
}

/** The times of Section 5.3.1 beside ours, with the paper's method run on the same computer. */
function presentTiming(runs: readonly TimingRun[], {name}: Material, pictures: Pictures): Presentation {
  const summary = summarizeTiming(runs)
  const svg = pictures.chart(timingChart(summary, name))
  const caption = `Seconds by number of concepts, ${name}, ${grouped(summary.documents)} documents. Left: the recovery of the moments alone. Right: a whole fit from counts, with the paper's three figures, from an unknown computer.`
  const paper = [...paperSeconds].map(
    ([polytope, seconds]) => `${grouped(seconds)} s with the ${polytopeNames.get(polytope)}`
  )
  return {
    figures: [{name: 'timing', svg, caption}],
    tables: [rawTable(runs)],
    html: html`<p>The paper (Section 5.3.1) reports that learning a model with ${PAPER_CONCEPTS} concepts took ${paper.join(', ')}. It states neither the computer nor the number of documents, so the ratios to these times are indicative only; the ratios to its method, run here beside ours, are reliable.</p>
${timingFindings(summary)}
${figure(svg, caption, 'timing-figure')}
${paperTable(summary)}
${conceptTable(summary)}
${slowTable(summary)}
${growthTable(summary)}
<p>Times are processor seconds, which other work on the computer does not affect, each the fastest of up to five runs (one run of the paper's method, which is fully corrective conditional gradient with the oracles of this program instead of Gurobi and Toulbar2), with Node ${[...new Set(runs.map(({result}) => result.node))].join(', ')}. A fit uses the paper's settings and learns a tree with its words; reading and counting documents are not included.</p>`
  }
}

const polytopes = [...polytopeNames]

function timingChart(summary: TimingSummary, name: string): LinesChart {
  const {concepts, learning, slow} = summary
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
    description: `Seconds by number of concepts for four polytopes, on a logarithmic scale: moment recovery by our solver and by the paper's, and a whole fit beside the three figures that the paper gives for ${PAPER_CONCEPTS} concepts. The tables have the same figures.`,
    x: {label: 'concepts', ticks: concepts},
    y: {label: 'seconds', log: true},
    panels: [
      {title: 'moments alone', series: [...ours('moments'), ...theirs]},
      {title: 'whole fit from counts', series: [...ours('whole'), ...printed]}
    ]
  }
}

/** The paper's three figures beside ours. */
function paperTable({beside, learning}: TimingSummary): Markup {
  const rows = polytopes.map(([polytope, name]) => {
    const [paper, ours] = [paperSeconds.get(polytope), learning(polytope, beside)]
    const ratio = paper && ours?.whole ? times(paper / ours.whole) : '-'
    return [name, paper === undefined ? '-' : grouped(paper), cell(ours?.whole), cell(ours?.moments), ratio]
  })
  return numberTable({
    caption: `Seconds for ${beside} concepts here and ${PAPER_CONCEPTS} in the paper; the computers differ, so the ratio is indicative only`,
    head: ['constraints', 'paper', 'whole fit here', 'moments alone here', 'paper / whole fit here'],
    rows
  })
}

function conceptTable({concepts, documents, learning}: TimingSummary): Markup {
  const rows = concepts.map(count => [
    count,
    ...polytopes.flatMap(([polytope]) => {
      const found = learning(polytope, count)
      return [cell(found?.moments), cell(found?.whole)]
    })
  ])
  return numberTable({
    caption: `Seconds by number of concepts, from the counts of ${grouped(documents)} documents`,
    head: ['concepts', ...polytopes.flatMap(([, name]) => [`${name}: moments`, `${name}: whole fit`])],
    left: 0,
    rows
  })
}

/** Our solver beside the paper's. */
function slowTable({concepts, learning, slow}: TimingSummary): Markup {
  const rows = concepts.flatMap(count =>
    (['local', 'marginal'] as const).flatMap(polytope => {
      const [theirs, ours] = [slow(polytope, count), learning(polytope, count)]
      if (!theirs?.moments || !ours?.moments) return []
      const ratio = `${theirs.status === 'step-limit' ? 'at least ' : ''}${times(theirs.moments / ours.moments)}`
      const ended = theirs.status === 'step-limit' ? `${theirs.steps} steps` : 'gap reached'
      const [slowly, slowGap, quickly, gap] = [theirs.moments, theirs.gap, ours.moments, ours.gap].map(cell)
      return [[count, polytopeNames.get(polytope), slowly, slowGap, ended, quickly, gap, ratio]]
    })
  )
  return htmlTable({
    caption:
      "Moment recovery by the paper's method, conditional gradient to its tolerance of 0.005, and by ours: seconds on the same computer, from the same counts",
    head: ['concepts', 'constraints', "paper's method", 'its gap', 'ended by', 'our solver', 'our gap', 'ratio'],
    align: ['right', 'left', 'right', 'right', 'right', 'right', 'right', 'right'],
    rows
  })
}

function growthTable({concepts, sizes, learning}: TimingSummary): Markup {
  const all = concepts[concepts.length - 1]
  const rows = sizes.map(documents => [
    grouped(documents),
    cell(learning('simplex', all, documents)?.patterns),
    ...polytopes.map(([polytope]) => cell(learning(polytope, all, documents)?.whole))
  ])
  return numberTable({
    caption: `Seconds of a whole fit of ${all} concepts by number of documents, from counts`,
    head: ['documents', 'anchor patterns', ...polytopes.map(([, name]) => name)],
    left: 0,
    rows
  })
}

function rawTable(runs: readonly TimingRun[]): ResultTable {
  const head = ['task', 'polytope', 'concepts', 'documents', 'seed', 'patterns', 'words', 'whole_seconds']
  const rows = runs.map(({cell: {task, polytope, concepts, documents, seed}, result}) => {
    const {patterns, words, whole: all, moments, gap, status, steps, node} = result
    const found = [all, moments, gap, status, steps].map(value => value ?? '')
    return [task, polytope, concepts, documents, seed, patterns, words, ...found, node]
  })
  return {name: 'timing', head: [...head, 'moment_seconds', 'gap', 'status', 'steps', 'node'], rows}
}

function cell(value: number | null | undefined): string {
  return typeof value === 'number' ? short(value) : '-'
}
