import {figure, html, htmlTable, type Markup} from '../../../use/report/index.ts'
import type {Pictures, Presentation, Run} from '../experiment.ts'
import type {Material} from '../material.ts'
import {spreadText} from '../spread.ts'
import {drawWords} from './factors-chart.ts'
import {type FactorsCell, type FactorsResult, factorMethods} from './factors-measure.ts'
import {type WordNames, wordNames} from './factors-names.ts'
import {printedWords} from './factors-printed.ts'
import {comparedLists, FactorsSummary, shownLists} from './factors-summary.ts'
import {factorsTables} from './factors-tables.ts'
import {
  clipText,
  listName,
  marksText,
  methodNames,
  percentOf,
  sharedText,
  sharedWithPaperText
} from './factors-words.ts'

interface Shown {
  readonly summary: FactorsSummary
  readonly material: Material
  readonly concepts: readonly string[]
  readonly names: WordNames
}

export function presentFactors(
  runs: readonly Run<FactorsCell, FactorsResult>[],
  material: Material,
  pictures: Pictures
): Presentation {
  const concepts = material.lexicon.anchors.map(({concept}) => concept)
  const shown = {summary: new FactorsSummary(runs), material, concepts, names: wordNames(material.lexicon)}
  const figures = drawWords(shown.summary, material, pictures)
  return {
    figures,
    tables: factorsTables(runs, material),
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
  return html`<p>Section 5.4 of the paper and its supplement list the words of every concept that have the lowest failure probabilities, learned with the tree estimator. Here anchors are not among the words; they stand in a column of their own.</p>
<p>${sharedText(summary, concepts.length)} ${printed}</p>
<p>${clipText('paper', summary.result('paper').clips)} ${clipText('robust', summary.result('robust').clips)} ${clipText('oracle', summary.result('oracle').clips)} A failure above 1 means that the concept seems to suppress the word, which a noisy-or cannot say.</p>
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
  return htmlTable({
    caption:
      'Words of a concept, ten at most, that are also found otherwise: mean over the concepts, in brackets its standard error in the last digits',
    head: ['words', 'also from the true tags', "also in the paper's tables"],
    rows,
    align: ['left', 'right', 'right']
  })
}

function clipsMarkup({summary, concepts}: Shown): Markup {
  const rows = factorMethods.map(method => {
    const {clips, speaking} = summary.result(method)
    return [methodNames[method], ...clipShares(clips), (speaking / concepts.length).toFixed(1)]
  })
  return htmlTable({
    caption: 'Estimates that had to be clipped',
    head: [
      'method',
      'failures above 1',
      'failures at the floor',
      'failures undefined',
      'leaks at the floor',
      'words that a concept switches on'
    ],
    rows,
    align: ['left', 'right', 'right', 'right', 'right', 'right']
  })
}

function clipShares(clips: FactorsResult['clips']): string[] {
  const {failures, failuresAboveOne, failuresBelowFloor, failuresUndefined, words, leaksAtFloor} = clips
  const shares = [failuresAboveOne, failuresBelowFloor, failuresUndefined].map(count => percentOf(count, failures))
  return [...shares, percentOf(leaksAtFloor, words)]
}

function conceptsTable({summary, material, concepts, names}: Shown): Markup {
  const {anchors, words} = material.lexicon
  const printed = concepts.map(printedWords)
  const hasPrinted = printed.some(list => list !== undefined)
  const joined = (list: readonly Markup[]) => list.map((word, at) => (at === 0 ? word : html`, ${word}`))
  const lists = shownLists.map(list => summary.words(list))
  return htmlTable({
    caption: `The words of every concept, those that weigh most first, and its anchors.${marksText(names)}`,
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
