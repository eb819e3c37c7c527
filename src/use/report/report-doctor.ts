import type {Diagnosis, Finding, Severity} from '../advice/index.ts'
import type {ConceptFacts} from './concept-facts.ts'
import {html, type Markup} from './html.ts'
import {countText} from './report-words.ts'

const GROUPS: readonly [Severity, string, string][] = [
  ['fault', 'fault', 'A fault spoils what is learned.'],
  ['warning', 'warning', 'A warning may spoil what is learned: look at it.'],
  ['note', 'note', 'Good to know.']
]

/** What was found about the anchors, worst first, each with the way to its concept. */
export function doctorHtml(diagnosis: Diagnosis, concepts: readonly ConceptFacts[]): Markup {
  const {findings, documentCount, labelledCount} = diagnosis
  const cards = new Map(concepts.map(({name, id}) => [name, id]))
  const labels =
    labelledCount === 0
      ? 'No labels were there, and only they show anchors that stand under the wrong concept.'
      : `Up to ${countText(labelledCount, 'document')} of them had labels.`
  const groups = GROUPS.map(([severity, noun, meaning]) => ({
    noun,
    meaning,
    found: findings.filter(finding => finding.severity === severity)
  })).filter(({found}) => found.length > 0)
  return html`<p>Every anchor was examined in ${countText(documentCount, 'document')}. ${labels}</p>
${
  groups.length === 0
    ? html`<p>Nothing was found against any anchor.</p>`
    : groups.map(
        ({noun, meaning, found}) => html`<h3>${countText(found.length, noun)}</h3>
<p class="soft">${meaning}</p>
<ul class="findings">
${found.map(finding => findingHtml(finding, cards.get(finding.concept)))}</ul>
`
      )
}`
}

function findingHtml({concept, severity, message, remedy}: Finding, id: string | undefined): Markup {
  const name = id === undefined ? html`<b>${concept}</b>` : html`<a href="#${id}">${concept}</a>`
  return html`<li><span class="severity ${severity}">${severity}</span> ${name}: ${message}. <span class="soft">What to do: ${remedy}.</span></li>
`
}
