import {counted} from '../../base/text/index.ts'
import {
  type Evaluation,
  type Figures,
  figureColumns,
  figureText,
  isBetter,
  isCeiling,
  methodText,
  rivalText,
  whereBeaten
} from '../evaluation/index.ts'
import {figure, type HtmlPart, html, htmlTable, type Markup, type Picture} from './page.ts'

/** The model beside every baseline, with the best of each column marked, whichever it is. */
export function evaluationHtml(evaluation: Evaluation, reliability: Picture | undefined, learned: string): Markup {
  const named: [string, Figures][] = [['this model', evaluation], ...Object.entries(evaluation.baselines)]
  const rivals = named.filter(([name]) => !isCeiling(name)).map(([, figures]) => figures)
  const rows = named.map(([name, figures]) => [
    isCeiling(name) ? html`${name} <span class="soft">(learns from tags)</span>` : name,
    ...figureColumns.map(column => {
      const text = figureText(column, figures)
      const isBest = !isCeiling(name) && text !== '-' && !rivals.some(rival => isBetter(column, rival, figures))
      return isBest ? html`<b class="best">${text}<span class="unseen"> best</span></b>` : text
    })
  ])
  return html`<p>${counted(evaluation.documents, 'document')} with known tags, ${counted(evaluation.concepts, 'concept')}.
${learned} The best of each column is marked, except among ceilings: those learn from true tags, which users of this model do not have.</p>
${htmlTable({
  caption: 'This model and simpler methods on the same documents.',
  head: ['method', ...figureColumns.map(({name}) => name)],
  align: ['left', ...figureColumns.map(() => 'right' as const)],
  rows
})}
${verdict(evaluation)}
${chanceText(evaluation)}
<details class="more"><summary>What the figures mean</summary>
<dl>
${figureColumns.map(({name, meaning}) => html`<dt>${name}</dt><dd>${meaning}</dd>\n`)}</dl>
</details>
<details class="more"><summary>What the methods are</summary>
<dl>
${named.flatMap(([name]) => methodPart(name))}</dl>
</details>
${reliability === undefined ? undefined : figure(reliability, RELIABILITY, 'reliability-picture')}`
}

const RELIABILITY =
  'Predictions are grouped into fifteen bins by probability; each bin shows how often they were right. On the diagonal, 30% means three in ten.'

function verdict(evaluation: Evaluation): Markup {
  const beaten = whereBeaten(evaluation)
  if (beaten.length === 0) return html`<p>No simpler method does better in any column.</p>`
  return html`<ul>
${beaten.map(rival => html`<li><b>${rival.name}</b> ${rivalText(rival)}.</li>\n`)}</ul>`
}

function chanceText({lastTag}: Evaluation): HtmlPart {
  if (Number.isNaN(lastTag.standardError)) return undefined
  return html`<p class="soft">The accuracy of the last tag has a standard error of ${lastTag.standardError.toFixed(3)}, from ${counted(lastTag.documents, 'document')}: smaller differences may be due to chance.</p>`
}

function methodPart(name: string): Markup[] {
  const meaning = methodText(name)
  return meaning === undefined ? [] : [html`<dt>${name}</dt><dd>${meaning}</dd>\n`]
}
