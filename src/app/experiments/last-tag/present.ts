import {type BarsChart, figure, html, htmlTable, type Markup} from '../../../use/report/index.ts'
import type {Experiment, Pictures, Presentation, ResultTable, Run} from '../experiment.ts'
import type {Material} from '../material.ts'
import {MOST_HELD_OUT, MOST_TRAINING} from '../split.ts'
import {
  chanceText,
  type Difference,
  differenceOf,
  pointsText,
  type Spread,
  shareInterval,
  splitsText,
  spreadOf,
  spreadText
} from '../spread.ts'
import {
  type Family,
  families,
  type LastTagCell,
  type LastTagResult,
  type MethodFigures,
  type MethodId,
  measureFamily,
  methodName,
  methods
} from './measure.ts'

/** Seconds that the families take beside each other, 8,000 documents of 50 concepts. */
const COSTS: Readonly<Record<Family, number>> = {models: 6, classifiers: 12, oracles: 8}

/** Sections 5.5 and 5.6: who finds the last tag. One cell trains and judges what is trained together, on one split. */
export const lastTag: Experiment<LastTagCell, LastTagResult> = {
  name: 'last-tag',
  title: 'Last tag: all methods and oracles',
  cells: (_, {splits, seed}) =>
    Array.from({length: splits}, (_, split) => families.map(family => ({split, seed: seed + split, family}))).flat(),
  cost: ({family}) => COSTS[family],
  measure: measureFamily,
  present: presentLastTag
}

type LastTagRun = Run<LastTagCell, LastTagResult>

/** The paper's figure of last-tag accuracy, its claims beside our results, and all figures as a table. */
export function presentLastTag(runs: readonly LastTagRun[], {name}: Material, pictures: Pictures): Presentation {
  const summary = summarizeLastTag(runs)
  const svg = pictures.chart(lastTagChart(summary, name))
  const caption = `Share of the tags that are found as the last tag of held-out documents of ${name}. Symbols: mean over the splits; lines: two standard errors of it, as far as the splits lie apart; faint symbols: single splits.`
  return {
    figures: [{name: 'last-tag', svg, caption}],
    tables: [rawTable(runs)],
    html: html`<p>The last-tag task of the paper (Sections 5.5 and 5.6): a document is shown with all its tags but one, and the missing tag has to be the best guess.</p>
${lastTagFindings(summary)}
${figure(svg, caption, 'last-tag-figure')}
${meanTable(summary)}
${howMeasured(runs)}`
  }
}

function lastTagChart(summary: LastTagSummary, name: string): BarsChart {
  const bars = methods.map(({id, name: method, group}) => {
    const spread = summary.spread(id, 'lastTag')
    return {name: method, group, value: spread.mean, ...shareInterval(spread), marks: summary.values(id, 'lastTag')}
  })
  return {
    kind: 'bars',
    title: 'Last-tag accuracy',
    description: `How often each of ${methods.length} methods finds the one hidden tag of a held-out document, the other tags known. The table has the same figures.`,
    x: {label: 'last tag found', percent: true},
    panels: [{title: name, bars}]
  }
}

function rawTable(runs: readonly LastTagRun[]): ResultTable {
  const head = ['split', 'seed', 'method', 'name', 'group', 'training_documents', 'held_out_documents', 'concepts']
  const figures = ['last_tag_accuracy', 'macro_average_precision', 'tag_log_likelihood']
  const rows = runs.flatMap(({cell: {split, seed}, result}) =>
    methods.flatMap(({id, name, group}) => {
      const found = result.figures[id]
      if (found === undefined) return []
      const {training, heldOut, concepts} = result
      const values = [found.lastTag, found.averagePrecision, found.logLikelihood].map(value => value ?? '')
      return [[split, seed, id, name, group, training, heldOut, concepts, ...values]]
    })
  )
  return {name: 'last-tag', head: [...head, ...figures], rows}
}

function meanTable(summary: LastTagSummary): Markup {
  const rows = methods.map(({id, name, group}) => [
    name,
    group,
    spreadText(summary.spread(id, 'lastTag')),
    spreadText(summary.spread(id, 'averagePrecision')),
    spreadText(summary.spread(id, 'logLikelihood'), 2)
  ])
  return htmlTable({
    caption: 'Means over the splits, in brackets the standard error in units of the last digit',
    head: ['method', 'kind', 'last tag', 'average precision', 'log-likelihood of the tags'],
    align: ['left', 'left', 'right', 'right', 'right'],
    rows
  })
}

/** What the figures rest on, and where they may differ from the paper's. */
function howMeasured(runs: readonly LastTagRun[]): Markup {
  const leftOut = [...new Set(runs.flatMap(({result}) => result.leftOut))]
  const range = (of: (result: LastTagResult) => number) => {
    const found = runs.map(({result}) => of(result))
    const [low, high] = [Math.min(...found), Math.max(...found)].map(count => count.toLocaleString('en'))
    return low === high ? low : `${low} to ${high}`
  }
  return html`<p>Learned from ${range(({training}) => training)} documents (at most ${MOST_TRAINING.toLocaleString('en')} of each split) and judged by ${range(({heldOut}) => heldOut)} others (at most ${MOST_HELD_OUT.toLocaleString('en')}, as in the paper), ${range(({concepts}) => concepts)} concepts. ${chanceText(new Set(runs.map(({cell}) => cell.split)).size)} Every tag of a document is hidden in turn; documents count the same. Average precision and the log-likelihood of the tags, in nats a document, are for documents without any known tag; classifiers take concepts for independent there. The paper shows its accuracies as a picture only, so there are no numbers of it to stand beside these.</p>
<p>"Robust" is what this program does by default; its "noisy-or links" are the words that people read, predicting by themselves. "Noise-tolerant" classifiers weigh documents by the rates of the anchors (Natarajan et al. 2013, as in the paper); "unbiased loss" is the other method of that work. With the "anchor rule" a concept whose anchor fired is believed by the rates of its anchor alone. Oracles are shown all tags of the training documents; "Oracle MoM" learns as the paper does, the one with a leak floor with the floor under the leaks that robust has.</p>
${leftOut.length === 0 ? undefined : html`<p>Left out in a split, because too few of its training documents have the tag or the anchor: ${leftOut.join(', ')}.</p>`}`
}

/** The results of all splits, method by method. */
export interface LastTagSummary {
  /** A figure of every split that has it, in the order of the splits: the same splits for all methods. */
  values(id: MethodId, figure: keyof MethodFigures): readonly number[]
  spread(id: MethodId, figure: keyof MethodFigures): Spread
  /** How much better `one` is at the last tag than `other`. */
  difference(one: MethodId, other: MethodId): Difference
  /** The best at the last tag, in the mean over the splits; the first of equals. */
  best(among: readonly MethodId[]): MethodId
}

export function summarizeLastTag(runs: readonly Run<LastTagCell, LastTagResult>[]): LastTagSummary {
  const ordered = runs.toSorted((a, b) => a.cell.split - b.cell.split)
  const values = (id: MethodId, figure: keyof MethodFigures) =>
    ordered.flatMap(({result}) => result.figures[id]?.[figure] ?? [])
  const spread = (id: MethodId, figure: keyof MethodFigures) => spreadOf(values(id, figure))
  const mean = (id: MethodId) => spread(id, 'lastTag').mean
  return {
    values,
    spread,
    difference: (one, other) => differenceOf(values(one, 'lastTag'), values(other, 'lastTag')),
    best: among => among.reduce((best, id) => (mean(id) > mean(best) ? id : best))
  }
}

/** Those that are shown no tag but what the rates of the anchors tell. */
export const withoutTags: readonly MethodId[] = methods.filter(({group}) => group !== 'oracles').map(({id}) => id)
/** The paper's "Baseline" is the best of these: Natarajan et al. (2013), by either loss, in either variant. */
export const noiseTolerant: readonly MethodId[] = methods.filter(({id}) => id.startsWith('noise-')).map(({id}) => id)
export const independentOracles: readonly MethodId[] = ['oracle-mom-independent', 'oracle-ml-independent']

/** What counts as no big disadvantage, in shares: two points. */
const SMALL = 0.02

/** The claims of the paper, each with what these results say of it, and the best of those that read no tag. */
function lastTagFindings(summary: LastTagSummary): Markup {
  const findings = [baselineClaim, structureClaim, oracleClaim, anchorClaim, polytopeClaim, bestMethod]
  return html`<ul>
${findings.map(finding => html`<li>${finding(summary)}</li>\n`)}</ul>
`
}

function baselineClaim(summary: LastTagSummary): string {
  const baseline = summary.best(noiseTolerant)
  return `The paper: its tree finds more last tags than the best of the noise-tolerant classifiers, on both of its corpora. ${verdict(summary.difference('paper-tree', baseline))}: ${sides(summary, 'paper-tree', baseline)}`
}

function structureClaim(summary: LastTagSummary): string {
  const oracle = summary.best(independentOracles)
  return `The paper: on Stack Overflow its tree, learned without tags, finds more than models without edges that are shown all tags. ${verdict(summary.difference('paper-tree', oracle))}: ${sides(summary, 'paper-tree', oracle)}`
}

/** A floor under the leaks is not in the paper; without one, a word that nothing explains outweighs all others. */
function oracleClaim(summary: LastTagSummary): string {
  const {mean} = summary.difference('oracle-mom-tree', 'oracle-ml-tree')
  const found = mean >= -SMALL ? 'Here that holds' : 'Here that does not hold'
  return `The paper: the method of moments is no big disadvantage beside maximum likelihood, when both are shown all tags. ${found}, taking two points for big: ${sides(summary, 'oracle-mom-tree', 'oracle-ml-tree')} With a floor under the leaks, as in robust: ${percent(summary, 'oracle-mom-floor')}.`
}

function anchorClaim(summary: LastTagSummary): string {
  return `The paper: the emergency corpus is hard to improve on, because its anchors tell so much. Anchors alone beside the tree here: ${sides(summary, 'paper-tree', 'anchors-only')}`
}

function polytopeClaim(summary: LastTagSummary): string {
  const {verdict: found} = summary.difference('paper-marginal', 'paper-tree')
  const held = found === 'unclear' ? 'Here that holds' : 'Here that does not hold'
  return `The paper: a tighter polytope does not change the accuracy of the last tag significantly. ${held}: ${sides(summary, 'paper-marginal', 'paper-tree')}`
}

function bestMethod(summary: LastTagSummary): string {
  const best = summary.best(withoutTags)
  const next = summary.best(withoutTags.filter(id => id !== best))
  return `The best of all that is shown no tags, and the next: ${sides(summary, best, next)}`
}

/** Both figures and their difference, split by split. */
function sides(summary: LastTagSummary, one: MethodId, other: MethodId): string {
  const [a, b] = [one, other].map(id => `"${methodName(id)}" ${percent(summary, id)}`)
  const difference = summary.difference(one, other)
  return `${a}, ${b}, a difference of ${pointsText(difference)}, ${splitsText(difference)}.`
}

function percent(summary: LastTagSummary, id: MethodId): string {
  return `${(100 * summary.spread(id, 'lastTag').mean).toFixed(1)}%`
}

function verdict({verdict: found}: Difference): string {
  return {above: 'Here that holds', below: 'Here that does not hold', unclear: 'Here that is not clear'}[found]
}
