import {grouped} from '../../../src/base/text/index.ts'
import {type BarsChart, figure, html, type Markup} from '../../../src/use/report/index.ts'
import type {Experiment, Pictures, Presentation, ResultTable, Run} from '../experiment.ts'
import type {Material} from '../material.ts'
import {bulletList, countRange, leftOutNote, numberTable} from '../presentation.ts'
import {MOST_HELD_OUT, MOST_TRAINING} from '../split.ts'
import {
  chanceText,
  type Difference,
  differenceOf,
  pointsText,
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

/** Relative cost: seconds for 8,000 documents and 50 concepts. */
const COSTS: Readonly<Record<Family, number>> = {models: 6, classifiers: 12, oracles: 8}

/** Sections 5.5 and 5.6: which method finds the last tag. A cell trains and evaluates one family on one split. */
export const lastTag: Experiment<LastTagCell, LastTagResult> = {
  name: 'last-tag',
  title: 'Last tag: all methods and oracles',
  cells: (_, {splits, seed, gap}) =>
    Array.from({length: splits}, (_, split) =>
      families.map(family => ({split, seed: seed + split, family, ...(gap && {gap})}))
    ).flat(),
  cost: ({family}) => COSTS[family],
  measure: measureFamily,
  present: presentLastTag
}

type LastTagRun = Run<LastTagCell, LastTagResult>

/** The paper's figure of last-tag accuracy, its claims beside our results, and all figures as a table. */
export function presentLastTag(runs: readonly LastTagRun[], {name}: Material, pictures: Pictures): Presentation {
  const summary = summarizeLastTag(runs)
  const svg = pictures.chart(lastTagChart(summary, name))
  const caption = `Share of tags found as the last tag of held-out documents of ${name}. Symbols: mean over the splits; lines: two standard errors, from the spread of the splits; faint symbols: single splits.`
  return {
    figures: [{name: 'last-tag', svg, caption}],
    tables: [rawTable(runs)],
    html: html`<p>The last-tag task of the paper (Sections 5.5 and 5.6): all tags of a document but one are given, and the missing tag has to be the best guess. As in the paper, documents with fewer than two concepts are not asked about.</p>
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
    description: `How often each of ${methods.length} methods finds the one hidden tag of a held-out document when its other tags are known. The table has the same figures.`,
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
  return numberTable({
    caption: 'Means over the splits, with the standard error in brackets, in units of the last digit',
    head: ['method', 'kind', 'last tag', 'average precision', 'log-likelihood of the tags'],
    left: 2,
    rows
  })
}

/** The basis of the figures, and where they may differ from the paper's. */
function howMeasured(runs: readonly LastTagRun[]): Markup {
  const results = runs.map(({result}) => result)
  const range = (of: (result: LastTagResult) => number) => countRange(results.map(of))
  return html`<p>Learned from ${range(({training}) => training)} documents (at most ${grouped(MOST_TRAINING)} of each split) and judged by ${range(({heldOut}) => heldOut)} others (at most ${grouped(MOST_HELD_OUT)}, as in the paper), ${range(({concepts}) => concepts)} concepts. ${chanceText(new Set(runs.map(({cell}) => cell.split)).size)} Every tag of a document with at least two concepts is hidden in turn; all such documents have equal weight. Average precision and the log-likelihood of the tags, in nats per document, are for all held-out documents, without any known tag, where classifiers treat concepts as independent. The paper shows its accuracies only as a picture, so there are no numbers to compare with.</p>
<p>"Robust" is the default of this program; its "noisy-or links" are the words shown in reports, used for predictions. "Noise-tolerant" classifiers weight documents by the rates of the anchors (Natarajan et al. 2013, as in the paper); "unbiased loss" is the other method of that work. With the "anchor rule" the probability of a concept whose anchor fired comes from the rates of its anchor alone. Oracles learn from all tags of the training documents; "Oracle MoM" learns as the paper does; The paper says nothing of leaks that come out below 0; methods with a leak floor use the floor of robust, the others clip at 0.</p>
${leftOutNote(results)}`
}

export type LastTagSummary = ReturnType<typeof summarizeLastTag>

export function summarizeLastTag(runs: readonly LastTagRun[]) {
  const ordered = runs.toSorted((a, b) => a.cell.split - b.cell.split)
  /** A figure of every split that has it, in the order of the splits: the same splits for all methods. */
  const values = (id: MethodId, figure: keyof MethodFigures) =>
    ordered.flatMap(({result}) => result.figures[id]?.[figure] ?? [])
  const spread = (id: MethodId, figure: keyof MethodFigures) => spreadOf(values(id, figure))
  const mean = (id: MethodId) => spread(id, 'lastTag').mean
  return {
    values,
    spread,
    /** How much better `one` is at the last tag than `other`. */
    difference: (one: MethodId, other: MethodId) => differenceOf(values(one, 'lastTag'), values(other, 'lastTag')),
    /** The best at the last tag by its mean over the splits; the first of equals. */
    best: (among: readonly MethodId[]) => among.reduce((best, id) => (mean(id) > mean(best) ? id : best))
  }
}

/** Methods that use tags only through the rates of the anchors. */
export const withoutTags: readonly MethodId[] = methods.filter(({group}) => group !== 'oracles').map(({id}) => id)
/** The paper's "Baseline" is the best of these: Natarajan et al. (2013), by either loss, in either variant. */
export const noiseTolerant: readonly MethodId[] = methods.filter(({id}) => id.startsWith('noise-')).map(({id}) => id)
export const independentOracles: readonly MethodId[] = ['oracle-mom-independent', 'oracle-ml-independent']
export const flooredOracles: readonly MethodId[] = [...independentOracles, 'oracle-mom-independent-floor']

/** A disadvantage of at most two points is not big. */
const SMALL = 0.02

/** The claims of the paper, each beside these results, and the best method without tags. */
function lastTagFindings(summary: LastTagSummary): Markup {
  const {best, difference} = summary
  const accuracy = (id: MethodId) => `${(100 * summary.spread(id, 'lastTag').mean).toFixed(1)}%`
  /** Both figures and their difference, split by split. */
  const sides = (one: MethodId, other: MethodId) => {
    const [a, b] = [one, other].map(id => `"${methodName(id)}" ${accuracy(id)}`)
    const gain = difference(one, other)
    return `${a}, ${b}, a difference of ${pointsText(gain)}, ${splitsText(gain)}.`
  }
  /** A claim on the paper's tree with leaks clipped at 0, and with a floor: without one, a word that nothing explains outweighs all others. */
  const claim = (text: string, other: MethodId, flooredOther = other) => {
    const withFloor = difference('paper-tree-floor', flooredOther)
    return `The paper: ${text} ${verdict(difference('paper-tree', other))}: ${sides('paper-tree', other)} With a leak floor: ${verdict(withFloor).toLowerCase()}, ${sides('paper-tree-floor', flooredOther)}`
  }
  const [baseline, oracle, floored, winner] = [noiseTolerant, independentOracles, flooredOracles, withoutTags].map(best)
  const next = best(withoutTags.filter(id => id !== winner))
  const isSmall = difference('oracle-mom-tree', 'oracle-ml-tree').mean >= -SMALL
  const isUnchanged = difference('paper-marginal', 'paper-tree').verdict === 'unclear'
  const here = (holds: boolean) => (holds ? 'Here that holds' : 'Here that does not hold')
  return bulletList([
    claim(
      'its tree finds more last tags than the best of the noise-tolerant classifiers, on both of its corpora.',
      baseline
    ),
    claim(
      'on Stack Overflow its tree, learned without tags, finds more than models without edges that learn from all tags.',
      oracle,
      floored
    ),
    claim('edges between the concepts help.', 'paper-independent', 'paper-independent-floor'),
    `The paper: the method of moments is not a big disadvantage compared with maximum likelihood when both learn from all tags. ${here(isSmall)}, if big means two points: ${sides('oracle-mom-tree', 'oracle-ml-tree')} With a leak floor, as in robust: ${accuracy('oracle-mom-floor')}.`,
    `The paper: the emergency corpus is hard to improve on, because its anchors are so informative. The tree and anchors alone here: ${sides('paper-tree', 'anchors-only')}`,
    `The paper: a tighter polytope does not change the accuracy of the last tag significantly. ${here(isUnchanged)}: ${sides('paper-marginal', 'paper-tree')}`,
    `The best method without tags, and the next: ${sides(winner, next)}`
  ])
}

function verdict({verdict: found}: Difference): string {
  return {above: 'Here that holds', below: 'Here that does not hold', unclear: 'Here that is not clear'}[found]
}
