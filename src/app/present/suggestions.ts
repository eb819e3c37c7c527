/** What speaks for words that may be added to an anchor, and against them. */
import {counted, grouped, percent} from '../../base/text/index.ts'
import type {ConceptForms, ConceptSuggestions, ProposedMember, Suggestion} from '../../use/advice/index.ts'
import {type Block, heading, type Inline, kept} from './blocks.ts'
import {occurrenceText} from './findings.ts'

const KINDS = {
  name: 'the name',
  inflected: 'another form',
  stem: 'the same stem',
  spelling: 'another spelling'
} as const

/** "another form; 12 documents have both, 3 would by chance; in 40 documents". */
export function formReason(form: ProposedMember): string {
  return `${formText(form)}; ${occurrenceText(form.documents, form.isSampled)}`
}

function formText({kind, beside, goesTogether}: ProposedMember): string {
  if (beside !== undefined)
    return `${KINDS[kind]}; ${beside.together} documents have both, ${Number(beside.expected.toPrecision(1))} would by chance`
  if (goesTogether === undefined || kind === 'name') return KINDS[kind]
  return `${KINDS[kind]}; occurs with ${goesTogether ? 'the same' : 'other'} words`
}

/** "in 412 documents; where it occurs the anchor fires in 31%, 58 times its usual share; the same name". */
export function suggestionText(word: Suggestion, rates: ConceptSuggestions['rates']): string {
  const {documents, together, share, lift, precision, coverage, similarity} = word
  const times = lift.value >= 10 ? grouped(lift.value) : Number(lift.value.toPrecision(2))
  return kept([
    `in ${counted(documents, 'document')}`,
    together === 0
      ? 'never together with the anchor'
      : `where it occurs the anchor fires in ${percent(share.value)}, ${times} times its usual share`,
    rates !== undefined &&
      together > 0 &&
      `so if the two are independent about ${percent(precision.value)} of its documents have the concept ` +
        `(${percent(precision.low)} to ${percent(precision.high)}), ` +
        `and it is in about ${percent(coverage.value)} of those that have it`,
    similarity !== 'none' && LIKENESS[similarity]
  ]).join('; ')
}

const LIKENESS = {
  stem: 'a name of the same stem',
  inflected: 'another form of its name',
  same: 'the same name'
} as const

/** A word in fewer documents may miss its anchor by chance. */
const FEW_DOCUMENTS = 10

/** What to check before adding the word. */
export function suggestionWarnings(word: Suggestion, rates: ConceptSuggestions['rates']): string[] {
  const {documents, basis, rival, namesake, share} = word
  const unsupported =
    documents < FEW_DOCUMENTS
      ? 'it is too rare for evidence from documents'
      : 'the anchor seldom fires beside it, as when one word is used in place of the other; read some of its documents first'
  return kept([
    basis === 'name' && `only its name supports it: ${unsupported}`,
    namesake !== undefined && `it is as similar to a name of "${namesake}"; an anchor must indicate one concept alone`,
    rival !== undefined &&
      `the anchor of "${rival.concept}" fires in ${percent(rival.share)} of its documents too, ` +
        `of which this concept would explain ${percent(rival.explained)} at most`,
    rates !== undefined &&
      share.low > rates.truePositive &&
      `the anchor fires beside it in more documents (${percent(share.value)}) than it does in those that have the ` +
        `concept (${percent(rates.truePositive)}): the two may be parts of one phrase; then it adds little`
  ])
}

/** Other forms of each anchor's words, then other words. */
export function suggestionBlocks(found: readonly (ConceptSuggestions & ConceptForms)[]): Block[] {
  return found.flatMap(({concept, anchor, rates, words, forms}): Block[] => {
    const terms: (readonly [Inline, Inline])[] = [
      ...forms.map(form => [form.feature, formReason(form)] as const),
      ...words.flatMap(word => [
        [word.word, suggestionText(word, rates)] as const,
        ...suggestionWarnings(word, rates).map(warning => ['', `  but ${warning}`] as const)
      ])
    ]
    return [heading(`${concept}  (anchor: ${anchor.join(', ')})`), {kind: 'terms', terms}]
  })
}
