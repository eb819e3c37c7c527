import type {EstimatedRates} from '../../learn/noise/index.ts'
import {documentsOf, percent} from './finding.ts'
import type {Suggestion} from './suggestion.ts'

type Judged = Omit<Suggestion, 'reason' | 'warnings'>

const LIKENESS_WORDS = {
  stem: 'a name of the same stem',
  inflected: 'another form of its name',
  same: 'the same name'
} as const

/** A word in fewer documents may miss its anchor by chance. */
const FEW_DOCUMENTS = 10

/** "in 412 documents; where it occurs the anchor fires in 31%, 58 times its usual share; the same name". */
export function suggestionReason(
  {documents, together, share, lift, precision, coverage, likeness}: Judged,
  rates: EstimatedRates | undefined
): string {
  const parts = [`in ${documentsOf(documents)}`]
  if (together === 0) parts.push('never together with the anchor')
  else parts.push(`where it occurs the anchor fires in ${percent(share.value)}, ${times(lift.value)} its usual share`)
  if (rates !== undefined && together > 0)
    parts.push(
      `so if the two are independent about ${percent(precision.value)} of its documents have the concept ` +
        `(${percent(precision.low)} to ${percent(precision.high)}), ` +
        `and it is in about ${percent(coverage.value)} of those that have it`
    )
  if (likeness !== 'none') parts.push(LIKENESS_WORDS[likeness])
  return parts.join('; ')
}

/** What a person should look at before taking the word. */
export function suggestionWarnings(
  {documents, basis, rival, namesake, share}: Judged,
  rates: EstimatedRates | undefined
): string[] {
  const warnings: string[] = []
  if (basis === 'name')
    warnings.push(
      documents < FEW_DOCUMENTS
        ? 'just its name speaks for it: it is too rare for the documents to tell'
        : 'just its name speaks for it: the anchor seldom fires beside it, as when one word stands in place of ' +
            'the other; read some of its documents first'
    )
  if (namesake !== undefined)
    warnings.push(`it is as like a name of "${namesake}"; an anchor must speak for one concept alone`)
  if (rival !== undefined)
    warnings.push(
      `it goes with the anchor of "${rival.concept}" as well, ` +
        `in ${percent(rival.share)} of its documents, ` +
        `of which this concept would explain ${percent(rival.explained)} at most`
    )
  if (rates !== undefined && share.low > rates.truePositive)
    warnings.push(
      `the anchor fires beside it in more documents (${percent(share.value)}) than it does in those that have the ` +
        `concept (${percent(rates.truePositive)}): ` +
        'the two may be parts of one phrase, and then it adds little'
    )
  return warnings
}

function times(lift: number): string {
  return `${lift >= 10 ? Math.round(lift).toLocaleString('en') : Number(lift.toPrecision(2))} times`
}
