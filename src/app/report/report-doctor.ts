import {counted, grouped} from '../../base/text/index.ts'
import {type Diagnosis, type Finding, fieldAdvice, type Severity, uncoveredText} from '../../use/advice/index.ts'
import type {ConceptFacts} from '../../use/facts/index.ts'
import {type HtmlPart, html, type Markup} from './markup.ts'

const MEANINGS: readonly (readonly [Severity, string])[] = [
  ['fault', 'A fault: the concept cannot be learned.'],
  ['warning', 'A warning: the concept may spoil what is learned; check it.'],
  ['note', 'Good to know.']
]

const COUNTS_ALONE =
  'The check read counts. Checks that need the documents are left out: negated mentions, members that labels show to be weak, and most other forms of words'

/** All findings about the anchors, worst first, each with a link to its concept. */
export function doctorHtml(
  {findings, uncovered, fields, documentCount, labelledCount, readsDocuments}: Diagnosis,
  concepts: readonly ConceptFacts[]
): Markup {
  const cards = new Map(concepts.map(({name, id}) => [name, id]))
  const named = (finding: Finding) => {
    const id = cards.get(finding.concept)
    const name = id === undefined ? html`<b>${finding.concept}</b>` : html`<a href="#${id}">${finding.concept}</a>`
    return findingItem(finding, html`${name}: ${finding.message}`)
  }
  const groups = MEANINGS.flatMap(([severity, meaning]) => {
    const found = findings.filter(finding => finding.severity === severity)
    if (found.length === 0) return []
    return html`<h3>${counted(found.length, severity)}</h3>
<p class="soft">${meaning}</p>
<ul class="findings">
${found.map(named)}</ul>
`
  })
  const labels =
    labelledCount === 0
      ? 'There were no labels, and only labels reveal anchors that belong to another concept.'
      : `Up to ${grouped(labelledCount)} of them are labelled.`
  return html`<p>Every anchor was examined in ${counted(documentCount, 'document')}. ${labels}</p>
${readsDocuments ? undefined : html`<p class="soft">${COUNTS_ALONE} (<code>adfa doctor DOCUMENTS</code>).</p>\n`}${fields.map(({field, isWeak}) => (isWeak ? html`<p class="warning">${fieldAdvice(field)}</p>\n` : undefined))}${uncovered.map(group => html`<p>${uncoveredText(group)}</p>\n`)}${groups.length === 0 ? html`<p>No anchor has any finding.</p>` : groups}`
}

/** The findings about one concept, for its card. */
export function cardFindings(findings: readonly Finding[]): HtmlPart {
  if (findings.length === 0) return undefined
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
  return html`<div class="findings"><h4>The doctor’s findings</h4>
<ul>
${findings.map(finding => findingItem(finding, capital(finding.message)))}</ul></div>`
}

function findingItem({severity, remedy}: Finding, message: HtmlPart): Markup {
  return html`<li><span class="severity ${severity}">${severity}</span> ${message}. <span class="soft">What to do: ${remedy}.</span></li>
`
}

/** How many findings of the worst severity there are; none for notes. */
export function findingBadge(findings: readonly Finding[]): HtmlPart {
  const count = (severity: Severity) => findings.filter(finding => finding.severity === severity).length
  const worst = count('fault') > 0 ? 'fault' : 'warning'
  return count(worst) === 0 ? undefined : html`<span class="severity ${worst}">${counted(count(worst), worst)}</span>`
}
