import type {Lexicon} from '../../../read/data/index.ts'
import {type HtmlPart, html, htmlTable, type Markup} from '../../../use/report/index.ts'
import {wordNames} from '../factors/factors-names.ts'
import {EM_STEPS} from './em-drift-measure.ts'
import type {DriftSummary} from './em-drift-summary.ts'
import {type ConceptWords, mostChanged, SHOWN_WORDS} from './em-drift-words.ts'

/** More features of an anchor than these are counted. */
const SHOWN_FEATURES = 4

/** The paper's table of "headache": for each start, the words of the concept that changed most in the first split. */
export function changedWords(summary: DriftSummary, lexicon: Lexicon): Markup {
  const [paper, robust, refined] = (['paper', 'robust', 'refine'] as const).map(path => summary.results(path)[0].words)
  const changed = mostChanged(robust)
  const beside = refined.find(({concept}) => concept === changed.concept)
  return html`<p>The paper shows how "headache" turns into long lists of things that patients do not have. Here are, of the commonest concepts, those that lose most of their first ${SHOWN_WORDS} words, in the first split; new words are bold. Words are ranked by how much they tell of the concept.</p>
${wordTable(mostChanged(paper), undefined, "from the paper's start", lexicon)}
${wordTable(changed, beside, 'from the robust start', lexicon)}`
}

function wordTable(
  {concept, kept, before, after}: ConceptWords,
  refined: ConceptWords | undefined,
  start: string,
  lexicon: Lexicon
): Markup {
  const names = wordNames(lexicon)
  const lists = [before, after, ...(refined === undefined ? [] : [refined.after])]
  const cell = (word: string | undefined): HtmlPart => {
    if (word === undefined) return ''
    return before.includes(word) ? names.markup(word) : html`<strong>${names.markup(word)}</strong>`
  }
  const ranks = Array.from({length: Math.max(...lists.map(list => list.length))}, (_, at) => at)
  return htmlTable({
    caption: `The words of "${concept}", EM ${start}: ${kept} of ${before.length} are kept`,
    head: ['place', 'before', `after ${EM_STEPS} steps of EM`, ...(refined === undefined ? [] : ['refined'])],
    rows: [
      ['anchor', ...lists.map(() => anchorText(concept, lexicon))],
      ...ranks.map(at => [at + 1, ...lists.map(list => cell(list[at]))])
    ]
  })
}

function anchorText(concept: string, {anchors}: Lexicon): string {
  const any = anchors.find(anchor => anchor.concept === concept)?.any ?? []
  const more = any.length - SHOWN_FEATURES
  return [...any.slice(0, SHOWN_FEATURES), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
