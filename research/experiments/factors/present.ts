import {percent} from '../../../src/base/text/index.ts'
import {type BarsChart, figure, html, htmlTable, type Markup} from '../../../src/use/report/index.ts'
import type {Experiment, Figure, Pictures, Presentation, ResultTable} from '../experiment.ts'
import type {Material} from '../material.ts'
import {numberTable, type WordNames, wordNames} from '../presentation.ts'
import {type Spread, spreadText} from '../spread.ts'
import {
  clipNames,
  comparedLists,
  type FactorClips,
  type FactorMethod,
  type FactorsCell,
  type FactorsResult,
  type FactorsRun,
  FactorsSummary,
  factorMethods,
  measureFactors,
  rankings,
  shownLists,
  type WordList
} from './measure.ts'
import {printedWords} from './printed.ts'

/** Relative cost: seconds for 24,000 documents, 50 concepts and 1,000 words. */
const COSTS: Readonly<Record<FactorMethod, number>> = {paper: 1.5, robust: 12, oracle: 1.5}

/** Section 5.4 and the supplement: the words of every concept. A cell learns them with one method. */
export const factors: Experiment<FactorsCell, FactorsResult> = {
  name: 'factors',
  title: 'Words of the concepts',
  cells: (_, {seed}) => factorMethods.map(method => ({method, seed})),
  cost: ({method}) => COSTS[method],
  measure: measureFactors,
  present: presentFactors
}

interface Shown {
  readonly summary: FactorsSummary
  readonly material: Material
  readonly concepts: readonly string[]
  readonly names: WordNames
}

function presentFactors(runs: readonly FactorsRun[], material: Material, pictures: Pictures): Presentation {
  const concepts = material.lexicon.anchors.map(({concept}) => concept)
  const shown = {summary: new FactorsSummary(runs), material, concepts, names: wordNames(material.lexicon)}
  const figures = drawWords(shown.summary, material, pictures)
  return {
    figures,
    tables: [wordsTable(runs, material), clipsTable(runs)],
    html: html`${introduction(shown)}
${figures.map(({name, svg, caption}) => figure(svg, caption, `factors-${name}`))}
${agreementTable(shown)}
${clipsMarkup(shown)}
${conceptsTable(shown)}`
  }
}

function introduction({summary, material, concepts, names}: Shown): Markup {
  const {words} = material.lexicon
  const printed = sharedWithPaperText(
    summary.sharedWithPaper({method: 'paper', ranking: 'failure'}, concepts, j => names.token(words[j]))
  )
  return html`<p>Section 5.4 of the paper and its supplement list the words with the lowest failure probabilities for every concept, learned with the tree estimator. Here anchors are not among the words; they have their own column.</p>
<p>${sharedText(summary, concepts.length)} ${printed}</p>
<p>${factorMethods.map(method => clipText(method, summary.result(method).clips)).join(' ')} A failure above 1 means that the concept seems to suppress the word, which a noisy-or cannot express.</p>
`
}

function agreementTable({summary, material, concepts, names}: Shown): Markup {
  const {words} = material.lexicon
  const rows = comparedLists.map(list => {
    const paper = summary.sharedWithPaper(list, concepts, j => names.token(words[j]))
    return [
      listName(list),
      spreadText(summary.sharedWithOracle(list), 2),
      paper === undefined ? '-' : spreadText(paper, 2)
    ]
  })
  return numberTable({
    caption:
      'How many of the words of a concept, at most ten, are also in another list: mean over the concepts, with its standard error in brackets, in units of the last digit',
    head: ['words', 'also from the true tags', "also in the paper's tables"],
    rows
  })
}

function clipsMarkup({summary, concepts}: Shown): Markup {
  const rows = factorMethods.map(method => {
    const {clips, speaking} = summary.result(method)
    const {failures, failuresAboveOne, failuresBelowFloor, failuresUndefined, words, leaksAtFloor} = clips
    const shares = [failuresAboveOne, failuresBelowFloor, failuresUndefined].map(count => share(count, failures))
    return [methodNames[method], ...shares, share(leaksAtFloor, words), (speaking / concepts.length).toFixed(1)]
  })
  return numberTable({
    caption: 'Estimates that had to be clipped',
    head: [
      ...['method', 'failures above 1', 'failures at the floor', 'failures undefined'],
      ...['leaks at the floor', 'words that a concept switches on']
    ],
    rows
  })
}

function conceptsTable({summary, material, concepts, names}: Shown): Markup {
  const {anchors, words} = material.lexicon
  const printed = concepts.map(printedWords)
  const hasPrinted = printed.some(list => list !== undefined)
  const joined = (list: readonly Markup[]) => list.map((word, at) => (at === 0 ? word : html`, ${word}`))
  const lists = shownLists.map(list => summary.words(list))
  return htmlTable({
    caption: `The words of every concept, in order of rank, and its anchors.${marksText(names)}`,
    head: ['concept', 'anchors', ...shownLists.map(listName), ...(hasPrinted ? ['printed in the paper'] : [])],
    rows: concepts.map((concept, i) => [
      concept,
      joined(anchors[i].any.map(names.markup)),
      ...lists.map(list => joined(list[i].map(([word]) => names.markup(words[word])))),
      ...(hasPrinted ? [printed[i]?.join(', ')] : [])
    ]),
    id: 'factors-words',
    sortable: true
  })
}

/** How many concepts are drawn: the most frequent by their tags. */
const DRAWN_CONCEPTS = 12

/** A list of words as a chart. */
interface DrawnList {
  readonly name: string
  readonly list: WordList
  /** What the numbers are. */
  readonly what: string
  readonly x: BarsChart['x']
  /** What is drawn, from the value that words are ranked by. */
  readonly length: (value: number) => number
}

const DRAWN_LISTS: readonly DrawnList[] = [
  {
    name: 'words-paper',
    list: {method: 'paper', ranking: 'failure'},
    what: 'the probability that the concept alone switches the word on',
    x: {label: 'switched on by it alone', percent: true},
    length: failure => 1 - failure
  },
  {
    name: 'words-robust',
    list: {method: 'robust', ranking: 'weights'},
    what: 'what the word adds to the log-odds of the concept',
    x: {label: 'added log-odds'},
    length: weight => weight
  }
]

function drawWords(summary: FactorsSummary, material: Material, pictures: Pictures): Figure[] {
  const {anchors, words} = material.lexicon
  const names = wordNames(material.lexicon)
  const drawn = commonestConcepts(material)
  const which = drawn.length < anchors.length ? `the ${drawn.length} most frequent concepts` : 'all concepts'
  return DRAWN_LISTS.map(({name, list, what, x, length}) => {
    const title = `Words of ${which}. ${listName(list)}`
    const panels = drawn.map(i => ({
      title: anchors[i].concept,
      bars: summary
        .words(list)
        [i].map(([word, value]) => ({name: names.text(words[word]), value: length(value), group: 'word'}))
    }))
    const description = `The words of each concept, in order of rank, and ${what}.`
    return {
      name,
      caption: `${title}.`,
      svg: pictures.chart({kind: 'bars', title, description, x, sharedX: true, panels})
    }
  })
}

function commonestConcepts({lexicon, documents}: Material): number[] {
  const tagged = lexicon.anchors.map((_, i) => documents.filter(({labels}) => labels?.[i] === 1).length)
  return [...tagged.keys()].sort((a, b) => tagged[b] - tagged[a] || a - b).slice(0, DRAWN_CONCEPTS)
}

/** Words keep their fields. */
function wordsTable(runs: readonly FactorsRun[], {lexicon}: Material): ResultTable {
  const rows = runs.flatMap(({cell: {method, seed}, result}) =>
    rankings.flatMap(ranking =>
      (result.words[ranking] ?? []).flatMap((list, i) =>
        list.map(([word, value, failure, oracle], at) => {
          const {concept, any} = lexicon.anchors[i]
          return [concept, method, ranking, seed, at + 1, lexicon.words[word], value, failure, oracle, any.join('|')]
        })
      )
    )
  )
  const head = ['concept', 'method', 'ranking', 'seed', 'rank', 'word', 'value', 'failure', 'oracleFailure', 'anchors']
  return {name: 'words', head, rows}
}

function clipsTable(runs: readonly FactorsRun[]): ResultTable {
  const rows = runs.map(({cell: {method, seed}, result: {documents, speaking, clips}}) => [
    ...[method, seed, documents, speaking],
    ...clipNames.map(name => clips[name])
  ])
  return {name: 'clips', head: ['method', 'seed', 'documents', 'links', ...clipNames], rows}
}

const methodNames: Readonly<Record<FactorMethod, string>> = {
  paper: 'ADFA, tree (paper)',
  robust: 'ADFA, robust',
  oracle: 'true tags (oracle)'
}

const rankingNames = {
  failure: 'lowest failure',
  information: 'most informative',
  weights: 'largest log-odds'
} as const

/** "ADFA, robust: largest log-odds". */
function listName({method, ranking}: WordList): string {
  return `${methodNames[method]}: ${rankingNames[ranking]}`
}

export function sharedText(summary: FactorsSummary, concepts: number): string {
  const paper = summary.sharedWithOracle({method: 'paper', ranking: 'failure'})
  const robust = summary.sharedWithOracle({method: 'robust', ranking: 'failure'})
  const weighted = summary.sharedWithOracle({method: 'robust', ranking: 'weights'})
  return `Of the ten words with the lowest failures for each of ${concepts} concepts, ${meanText(paper)} are on average among the ten that the same estimator finds from the true tags; with the robust preset ${meanText(robust)} are. Of the ten words with the largest log-odds, ${meanText(weighted)} are among the ten that are most informative according to the true tags.`
}

export function sharedWithPaperText(shared: Spread | undefined): string {
  if (shared === undefined) return 'No concept has a namesake in the tables of the paper.'
  const which = shared.splits === 1 ? 'the concept that has' : `the ${shared.splits} concepts that have`
  return `For ${which} a namesake in the tables of the paper, ${meanText(shared)} of the words of the tree are printed there.`
}

export function clipText(method: FactorMethod, clips: FactorClips): string {
  const {failures, failuresAboveOne, failuresBelowFloor, failuresUndefined, words, leaksAtFloor} = clips
  const others = failuresBelowFloor + failuresUndefined
  const rest = others === 0 ? '' : `, ${share(others, failures)} for other reasons`
  return `With ${methodNames[method]}, ${share(failuresAboveOne, failures)} of the failures are above 1 and are clipped${rest}; ${share(leaksAtFloor, words)} of the leaks are raised to their floor.`
}

function share(count: number, all: number): string {
  return percent(all === 0 ? 0 : count / all)
}

/** "4.2 (standard error 0.3)". */
function meanText({mean, error}: Spread): string {
  return error === undefined ? mean.toFixed(1) : `${mean.toFixed(1)} (standard error ${error.toFixed(1)})`
}

export function marksText({marked, unmarked}: Pick<WordNames, 'marked' | 'unmarked'>): string {
  if (unmarked === undefined) return ''
  return ` Words marked ${marked.join(' or ')} come from that field, words without a mark from ${unmarked}.`
}
