import {counted, percent} from '../../base/text/index.ts'
import {
  type Evaluation,
  type FigureColumn,
  type Figures,
  figureColumns,
  figureIntervalText,
  figureMark,
  figureText,
  isCeiling,
  methodText,
  overconfidenceText,
  rivalText,
  whereBeaten
} from '../../use/evaluation/index.ts'
import {figure, type HtmlPart, html, htmlTable, type Markup} from './markup.ts'
import type {Picture} from './page.tsx'

/** The model beside every baseline, with the best of each column marked, whichever it is. */
export function evaluationHtml(evaluation: Evaluation, reliability: Picture | undefined, learned: string): Markup {
  const named: [string, Figures][] = [['this model', evaluation], ...Object.entries(evaluation.baselines)]
  const cell = (column: FigureColumn, name: string, figures: Figures) => {
    const mark = figureMark(column, name, evaluation)
    const text = figureText(column, figures)
    const range = html`<br><span class="soft">${figureIntervalText(column, figures)}</span>`
    if (mark === 'best') return html`<b class="best">${text}<span class="unseen"> best</span></b>${range}`
    return html`${text}${mark === 'level' ? html` ≈<span class="unseen"> no clear difference from the best</span>` : undefined}${range}`
  }
  const rows = named.map(([name, figures]) => [
    isCeiling(name) ? html`${name} <span class="soft">(learns from tags)</span>` : name,
    ...figureColumns.map(column => cell(column, name, figures))
  ])
  return html`<p>${counted(evaluation.documents, 'document')} with known tags, ${counted(evaluation.concepts, 'concept')}.
${learned} The best of each column is marked, and ≈ marks figures that do not clearly differ from it. Ceilings are left aside: they learn from true tags, which users of this model do not have.
Below each figure stands its ${percent(evaluation.level)} interval, by resampling the documents; two methods are compared on the same resamples.</p>
${htmlTable({
  caption: 'This model and simpler methods on the same documents.',
  head: ['method', ...figureColumns.map(({name}) => name)],
  align: ['left', ...figureColumns.map(() => 'right' as const)],
  rows
})}
${verdict(evaluation)}
${overconfidence(evaluation)}
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
  const beaten = whereBeaten(evaluation).filter(({columns}) => columns.length > 0)
  if (beaten.length === 0) return html`<p>No simpler method is clearly better than this model in any column.</p>`
  return html`<ul>
${beaten.map(rival => html`<li><b>${rival.name}</b> ${rivalText(rival)}.</li>\n`)}</ul>`
}

function overconfidence({tagging}: Evaluation): HtmlPart {
  const text = overconfidenceText(tagging)
  return text === undefined ? undefined : html`<p class="warning">${text}</p>`
}

function methodPart(name: string): Markup[] {
  const meaning = methodText(name)
  return meaning === undefined ? [] : [html`<dt>${name}</dt><dd>${meaning}</dd>\n`]
}
