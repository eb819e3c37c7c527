import {counted, listed} from '../../base/text/index.ts'
import {
  type Evaluation,
  type Figures,
  figureColumns,
  figureText,
  isBetter,
  isCeiling,
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
${named.flatMap(([name]) => methodText(name))}</dl>
</details>
${reliability === undefined ? undefined : figure(reliability, RELIABILITY, 'reliability-picture')}`
}

const RELIABILITY =
  'Predictions are grouped into fifteen bins by probability; each bin shows how often they were right. On the diagonal, 30% means three in ten.'

function verdict(evaluation: Evaluation): Markup {
  const beaten = whereBeaten(evaluation)
  if (beaten.length === 0) return html`<p>No simpler method does better in any column.</p>`
  return html`<ul>
${beaten.map(({name, columns, level}) => html`<li><b>${name}</b> ${verdictOf(columns, level)}.</li>\n`)}</ul>`
}

function verdictOf(columns: readonly string[], level: readonly string[]): string {
  return [
    ...(columns.length === 0 ? [] : [`does better than this model in ${listed(columns)}`]),
    ...(level.length === 0 ? [] : [`is level with it, within the standard error, in ${listed(level)}`])
  ].join(' and ')
}

function chanceText({lastTag}: Evaluation): HtmlPart {
  if (Number.isNaN(lastTag.standardError)) return undefined
  return html`<p class="soft">The accuracy of the last tag has a standard error of ${lastTag.standardError.toFixed(3)}, from ${counted(lastTag.documents, 'document')}: smaller differences may be due to chance.</p>`
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ['this model', 'the model of this report'],
  ['noisy-or', 'the same model, predicting with the links that the concept cards show'],
  ['prior', 'predicts the prevalence of each concept for every document'],
  ['anchors-only', 'uses the anchor of each concept alone, without words or network'],
  ['anchors-network', 'uses the anchors and the network, without words'],
  ['independent', 'the same learner without edges between concepts'],
  ['anchor-label', 'a classifier for each concept that takes the anchor as its label'],
  ['positive-unlabelled', 'the same, corrected for documents that have the concept but not its anchor'],
  ['noise-unbiased', 'the same, corrected for the noise of the anchor in its loss'],
  ['noise-weighted', 'the same, corrected for the noise of the anchor by weights'],
  ['imputation', 'draws all tags once, then learns from them as if they were true'],
  ['oracle', 'the same learner, given every true tag'],
  ['supervised', 'a classifier for each concept, given every true tag'],
  ['supervised-tree', 'those classifiers and a tree between the concepts, from true tags'],
  ['oracle-ml-tree', 'the same kind of model, fitted to true tags by maximum likelihood'],
  ['oracle-ml-independent', 'the same without edges between concepts']
])

function methodText(name: string): Markup[] {
  const base = name.replace(/-rule$/, '')
  const meaning = METHODS.get(base)
  if (meaning === undefined) return []
  const rule = base === name ? '' : '; where the anchor fires, the anchor alone decides'
  return [html`<dt>${name}</dt><dd>${meaning}${rule}</dd>\n`]
}
