import {grouped} from '../../../src/base/text/index.ts'
import type {Lexicon} from '../../../src/read/data/index.ts'
import {
  type ChartSeries,
  figure,
  type HtmlPart,
  html,
  htmlTable,
  type LinesChart,
  type Markup
} from '../../../src/use/report/index.ts'
import type {Experiment, Pictures, Presentation, ResultTable} from '../experiment.ts'
import type {Material} from '../material.ts'
import {bulletList, countRange, leftOutNote, numberTable, wordNames} from '../presentation.ts'
import {MOST_TRAINING} from '../split.ts'
import {chanceText, pointsText, signed, splitsText, spreadOf, spreadText} from '../spread.ts'
import {
  type ConceptWords,
  type DriftCell,
  type DriftFigure,
  type DriftPath,
  type DriftResult,
  type DriftRun,
  type DriftSummary,
  driftPaths,
  driftSteps,
  EM_STEPS,
  measureDrift,
  mostChanged,
  SHOWN_WORDS,
  summarizeDrift
} from './measure.ts'

/** EM reads every document in every step; its effect is much the same in every split. */
const MOST_SPLITS = 3
/** Relative cost of the paths: seconds for 8,000 documents and 50 concepts. */
const COSTS: Readonly<Record<DriftPath, number>> = {paper: 23, robust: 16}

/** Sections 5.5 and 5.6: what maximising the likelihood does to a model learned from anchors. A cell follows one path on one split. */
export const emDrift: Experiment<DriftCell, DriftResult> = {
  name: 'em-drift',
  title: 'EM: likelihood rises, do predictions?',
  cells: (_, {splits, seed}) =>
    Array.from({length: Math.min(splits, MOST_SPLITS)}, (_, split) =>
      driftPaths.map(path => ({split, seed: seed + split, path}))
    ).flat(),
  cost: ({path}) => COSTS[path],
  measure: measureDrift,
  present: presentDrift
}

/** The paper's figure of accuracy by step of EM, the likelihood beside it, and the words of a concept before and after. */
export function presentDrift(runs: readonly DriftRun[], material: Material, pictures: Pictures): Presentation {
  const summary = summarizeDrift(runs)
  const figures = [
    {
      name: 'em-drift-accuracy',
      svg: pictures.chart(accuracyChart(summary, material.name)),
      caption: `Last-tag accuracy on held-out documents of ${material.name} after each step; lines: mean over the splits; faint symbols: single splits.`
    },
    {
      name: 'em-drift-bound',
      svg: pictures.chart(boundChart(summary, material.name)),
      caption:
        'Lower bound of the log-likelihood of the training documents after each step; every panel has its own scale.'
    }
  ]
  return {
    figures,
    tables: [stepTable(runs), wordRows(runs)],
    html: html`<p>The paper (Sections 5.5 and 5.6) continues from its model with steps of EM, which raise the likelihood of the documents, and finds that predictions get worse: concepts turn into whatever explains most words.</p>
${driftFindings(summary)}
${figures.map(({name, svg, caption}) => figure(svg, caption, `${name}-figure`))}
${meanTable(summary)}
${changedWords(summary, material.lexicon)}
${howMeasured(runs)}`
  }
}

function stepTable(runs: readonly DriftRun[]): ResultTable {
  const head = ['split', 'seed', 'path', 'step', 'training_documents', 'held_out_documents']
  const figures = ['last_tag_accuracy', 'macro_average_precision', 'bound', 'words_kept_of_10']
  const rows = runs.flatMap(({cell: {split, seed, path}, result}) =>
    result.steps.map(({step, lastTag, averagePrecision, bound}) => {
      const place = [split, seed, path, step, result.training, result.heldOut]
      const kept = step === EM_STEPS ? result.kept : null
      return [...place, ...[lastTag, averagePrecision, bound, kept].map(value => value ?? '')]
    })
  )
  return {name: 'em-drift', head: [...head, ...figures], rows}
}

function wordRows(runs: readonly DriftRun[]): ResultTable {
  const rows = runs.flatMap(({cell: {split, seed, path}, result}) =>
    result.words.flatMap(({concept, before, after}) => {
      const ranks = Array.from({length: Math.max(before.length, after.length)}, (_, at) => at)
      return ranks.map(at => [split, seed, path, concept, at + 1, before[at] ?? '', after[at] ?? ''])
    })
  )
  return {name: 'em-drift-words', head: ['split', 'seed', 'path', 'concept', 'rank', 'before', 'after'], rows}
}

function meanTable(summary: DriftSummary): Markup {
  const rows = driftPaths.map(path => {
    const beforeAndAfter = (figure: DriftFigure, digits?: number) =>
      [0, EM_STEPS].map(step => spreadText(summary.spread(path, step, figure), digits))
    const predictions = [...beforeAndAfter('lastTag'), ...beforeAndAfter('averagePrecision')]
    return [pathNames[path], ...predictions, ...beforeAndAfter('bound', 2)]
  })
  const [lastTag, precision] = (['lastTag', 'averagePrecision'] as const).map(summary.anchorsOnly)
  const level = ['anchors alone', spreadText(lastTag), '', spreadText(precision), '', '', '']
  return numberTable({
    caption: `Before, and after ${EM_STEPS} steps of EM: means over the splits, with the standard error in brackets, in units of the last digit`,
    head: ['path', 'last tag, before', 'after', 'average precision, before', 'after', 'bound, before', 'after'],
    rows: [...rows, level]
  })
}

function howMeasured(runs: readonly DriftRun[]): Markup {
  const results = runs.map(({result}) => result)
  const splits = new Set(runs.map(({cell}) => cell.split)).size
  return html`<p>Learned from ${countRange(results.map(({training}) => training))} documents (at most ${grouped(MOST_TRAINING)} of each split). ${chanceText(splits)} Predictions use the noisy-or links, which EM changes; the network and the rates of the anchors stay as they are. E-steps draw states by Gibbs sampling, as in the paper's supplement, so the bound may fluctuate where little changes. The paper shows its accuracies only as a picture.</p>
${leftOutNote(results)}`
}

const look = {kind: 'lines', x: {label: 'steps of EM', ticks: driftSteps}} as const

/** All paths in one panel, and anchors alone as a level. */
function accuracyChart(summary: DriftSummary, name: string): LinesChart {
  const level = summary.anchorsOnly('lastTag').mean
  const anchors = {name: 'anchors alone', points: [0, EM_STEPS].map(step => ({x: step, y: level}))}
  return {
    ...look,
    title: 'Last-tag accuracy by step of EM',
    description:
      'How often the last tag of held-out documents is found, at the start and after each step, for EM from two starts.',
    y: {label: 'last tag found', percent: true},
    panels: [{title: name, series: [...driftPaths.map(path => series(summary, path, 'lastTag')), anchors]}]
  }
}

/** One panel per path: the bounds of different starts lie far apart. */
function boundChart(summary: DriftSummary, name: string): LinesChart {
  return {
    ...look,
    title: `Lower bound of the log-likelihood by step of EM, ${name}`,
    description:
      'The lower bound of the log-likelihood of the training documents, in nats per document, at the start and after each step.',
    y: {label: 'bound, nats per document'},
    sharedY: false,
    panels: driftPaths.map(path => ({title: pathNames[path], series: [series(summary, path, 'bound')]}))
  }
}

function series(summary: DriftSummary, path: DriftPath, figure: DriftFigure): ChartSeries {
  return {
    name: pathNames[path],
    points: driftSteps.map(step => ({x: step, y: summary.spread(path, step, figure).mean})),
    marks: driftSteps.flatMap(step => summary.values(path, step, figure).map(y => ({x: step, y})))
  }
}

/** In pictures and tables. */
const pathNames: Readonly<Record<DriftPath, string>> = {
  paper: 'EM from ADFA, tree (paper)',
  robust: 'EM from robust'
}

/** The effect of EM on predictions and likelihood, from each start, and on the words. */
function driftFindings(summary: DriftSummary): Markup {
  const accuracy = (path: DriftPath) => {
    const change = summary.change(path, 'lastTag')
    return `${pointsText(change)}, ${splitsText(change)}`
  }
  const ofEm = driftPaths.map(path => {
    const bound = summary.change(path, 'bound')
    const likelihood = `${signed(bound.mean, 2)} nats per document, ${splitsText(bound)}`
    return `${pathNames[path]}: ${EM_STEPS} steps change the last-tag accuracy by ${accuracy(path)}, and the bound of the likelihood by ${likelihood}. ${emVerdict(summary, path)}`
  })
  const kept = (path: DriftPath) =>
    spreadOf(summary.results(path).flatMap(({kept: count}) => count ?? [])).mean.toFixed(1)
  return bulletList([
    ...ofEm,
    `Of a concept's first ${SHOWN_WORDS} words, ${kept('paper')} are still among its first ${SHOWN_WORDS} after EM from the paper's start and ${kept('robust')} after EM from the robust one (means over the concepts).`
  ])
}

function emVerdict(summary: DriftSummary, path: DriftPath): string {
  const [accuracy, bound] = (['lastTag', 'bound'] as const).map(figure => summary.change(path, figure).verdict)
  const likelihood = {above: 'The likelihood rises', below: 'The bound falls', unclear: 'The bound hardly moves'}[bound]
  const isAsInPaper = accuracy === 'below' && bound === 'above'
  const predictions = {
    above: 'predictions get better, unlike in the paper',
    below: `predictions get worse${isAsInPaper ? ', as in the paper' : ''}`,
    unclear: 'predictions do not clearly change, unlike in the paper'
  }[accuracy]
  return `${likelihood} and ${predictions}.`
}

/** Further members of an anchor are only counted. */
const SHOWN_MEMBERS = 4

/** The paper's table of "headache": for each start, the words of the concept that changed most in the first split. */
function changedWords(summary: DriftSummary, lexicon: Lexicon): Markup {
  const [paper, robust] = driftPaths.map(path => mostChanged(summary.results(path)[0].words))
  return html`<p>The paper shows how "headache" turns into long lists of things that patients do not have. These are the concepts, among the most frequent, that lose most of their first ${SHOWN_WORDS} words in the first split; new words are bold. Words are ranked by their information about the concept.</p>
${wordTable(paper, "from the paper's start", lexicon)}
${wordTable(robust, 'from the robust start', lexicon)}`
}

function wordTable({concept, kept, before, after}: ConceptWords, start: string, lexicon: Lexicon): Markup {
  const names = wordNames(lexicon)
  const lists = [before, after]
  const cell = (word: string | undefined): HtmlPart => {
    if (word === undefined) return ''
    return before.includes(word) ? names.markup(word) : html`<strong>${names.markup(word)}</strong>`
  }
  const ranks = Array.from({length: Math.max(...lists.map(list => list.length))}, (_, at) => at)
  return htmlTable({
    caption: `The words of "${concept}", EM ${start}: ${kept} of ${before.length} are kept`,
    head: ['place', 'before', `after ${EM_STEPS} steps of EM`],
    rows: [
      ['anchor', ...lists.map(() => anchorText(concept, lexicon))],
      ...ranks.map(at => [at + 1, ...lists.map(list => cell(list[at]))])
    ]
  })
}

function anchorText(concept: string, {anchors}: Lexicon): string {
  const any = anchors.find(anchor => anchor.concept === concept)?.any ?? []
  const more = any.length - SHOWN_MEMBERS
  return [...any.slice(0, SHOWN_MEMBERS), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
