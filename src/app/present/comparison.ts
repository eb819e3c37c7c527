/** What differs between two models, A and B. */
import {counted, factorText, grouped, listed, percent} from '../../base/text/index.ts'
import {
  type ComparedModel,
  type Comparison,
  FIRST_WORDS,
  type RateName,
  type Verdict,
  type WordChange
} from '../../use/comparison/index.ts'
import type {Chart} from '../drawing/index.ts'
import {type Block, type Cell, heading, type Inline, kept, paragraph} from './blocks.ts'
import {intervalText} from './rates.ts'

/** "cooking.json, 8 concepts, 6,000 words from 8,000 documents; moments optimal, objective 58.41, gap 3.6e-2". */
export function comparedText(title: string, {concepts, words, documents, moments}: ComparedModel): string {
  const source = documents === undefined ? '' : ` from ${counted(documents, 'document')}`
  const how =
    moments === 'no certificate'
      ? moments
      : `moments ${moments.status}, objective ${moments.objective.toPrecision(4)}, gap ${moments.gap.toExponential(1)}`
  return `${title}, ${counted(concepts, 'concept')}, ${grouped(words)} words${source}; ${how}`
}

/** What a page adds: how it writes words, and where the documents that cross the threshold of a concept are listed. */
export interface ComparisonLook {
  readonly wordOf?: (word: string) => string
  readonly linkOf?: (concept: string, which: 'entered' | 'left') => unknown
}

/** Which concepts and anchors differ, then rates, links, words and documents. */
export function comparisonBlocks(comparison: Comparison, look: ComparisonLook = {}): Block[] {
  const {crossed, concepts, edges, added, removed} = comparison
  if (concepts.length + edges.length + added.length + removed.length + (crossed?.length ?? 0) === 0)
    return [paragraph('The two models do not differ.')]
  return [
    {kind: 'list', items: summaryOf(comparison)},
    ...rates(comparison),
    ...links(comparison),
    ...words(comparison, look),
    ...(crossed === undefined ? [] : crossings(crossed, look))
  ]
}

function summaryOf({added, removed, renamed, concepts}: Comparison): string[] {
  const members = concepts.flatMap(({concept, anchor: {gained, lost}}) => [
    gained.length > 0 && `The anchor of ${concept} has ${listed(gained)} in B only.`,
    lost.length > 0 && `The anchor of ${concept} has ${listed(lost)} in A only.`
  ])
  const lines = kept<string>([
    ...renamed.map(({from, to}) => `${from} is called ${to} in B.`),
    added.length > 0 && `Only B has ${listed(added)}.`,
    removed.length > 0 && `Only A has ${listed(removed)}.`,
    ...members
  ])
  return lines.length > 0 ? lines : ['Both have the same concepts and anchors.']
}

/** A table below its title, or what is said where it has no rows. */
function section(title: string, none: string, head: readonly string[], rows: readonly (readonly Cell[])[]): Block[] {
  const columns = head.map(name => ({name}))
  return [heading(title), {kind: 'table', look: 'folding', caption: title, columns, rows, none}]
}

const RATE_WORDS: Readonly<Record<RateName, string>> = {
  prevalence: 'documents that have it',
  precision: 'documents that have it where the anchor fires',
  truePositive: 'anchor fires with it',
  falsePositive: 'anchor fires without it'
}

function rates({concepts}: Comparison): Block[] {
  const rows = concepts.flatMap(({concept, rates}) =>
    Object.entries(RATE_WORDS).flatMap(([name, meaning]) => {
      const change = rates[name as RateName]
      if (change === undefined) return []
      const [a, b] = [intervalText(change.a), intervalText(change.b)]
      // What reads the same is no difference to people.
      return a === b ? [] : [[concept, meaning, a, b, verdictCell(change.verdict)]]
    })
  )
  return section(
    'Rates, with 90% intervals',
    'No rate differs visibly.',
    ['concept', 'share of', 'A', 'B', 'B is'],
    rows
  )
}

function verdictCell(verdict: Verdict): Inline {
  return verdict === 'higher' || verdict === 'lower' ? verdict : {text: verdict, look: 'quiet'}
}

function links({edges}: Comparison): Block[] {
  const odds = (ratio: number | undefined): Inline =>
    ratio === undefined ? {text: 'no link', look: 'quiet'} : `${factorText(ratio)} times the odds`
  return section(
    'Links between concepts',
    'No link was gained, lost, reversed or clearly changed.',
    ['link', 'change', 'A', 'B', 'odds in B are'],
    edges.map(({kind, between, a, b, verdict}) => [between.join(' and '), kind, odds(a), odds(b), verdictCell(verdict)])
  )
}

function words({concepts}: Comparison, {wordOf = word => word}: ComparisonLook): Block[] {
  const names = (some: readonly WordChange[]) => some.map(({word}) => wordOf(word)).join(', ')
  return section(
    `The first ${FIRST_WORDS} words of a concept`,
    'They are the same.',
    ['concept', 'new in B', 'gone in B', 'moved most'],
    concepts
      .filter(each => each.words.length > 0)
      .map(each => [
        each.concept,
        names(each.words.filter(({a}) => a === undefined)),
        names(each.words.filter(({b}) => b === undefined)),
        each.words.flatMap(({word, a, b}) => (a && b ? [`${wordOf(word)} ${a} to ${b}`] : [])).join(', ')
      ])
  )
}

function crossings(crossed: NonNullable<Comparison['crossed']>, {linkOf = () => undefined}: ComparisonLook): Block[] {
  const cell = (concept: string, count: number, which: 'entered' | 'left'): Inline => {
    const text = counted(count, 'document')
    const tip = `${text} of ${concept}, reported only by ${which === 'entered' ? 'B' : 'A'}`
    return count === 0 ? text : {text, to: linkOf(concept, which), tip}
  }
  return section(
    'Documents that cross the threshold',
    'None.',
    ['concept', 'reported only by B', 'reported only by A'],
    crossed.map(({concept, entered, left}) => [concept, cell(concept, entered, 'entered'), cell(concept, left, 'left')])
  )
}

/** How clear a change is, and where the rule is cautious. */
export function comparisonRule({isSameDocuments = false}: Comparison): string {
  const rule =
    'A change is clear if the interval of the difference excludes 0; for that interval the two estimates count as independent.'
  return isSameDocuments
    ? `${rule} Both models were learned from the same documents and have similar errors, so the rule is cautious: it may miss a small change.`
    : rule
}

/** Prevalences of both sides with their intervals, in the order of the comparison; undefined where none differs. */
export function comparisonChart({concepts}: Comparison, [a, b]: readonly [string, string]): Chart | undefined {
  const rows = concepts.flatMap(({concept, rates: {prevalence}}) => (prevalence ? [{concept, prevalence}] : []))
  if (rows.length === 0) return undefined
  const panel = (side: 'a' | 'b', title: string) => ({
    title,
    bars: rows.map(({concept, prevalence}) => ({name: concept, group: prevalence.verdict, ...prevalence[side]}))
  })
  const said = rows.map(({concept, prevalence: {a, b, verdict}}) => {
    return `${concept} ${percent(a.value)} and ${percent(b.value)}, ${verdict}`
  })
  return {
    kind: 'bars',
    title: 'Prevalences of both',
    description: `${a} and ${b}: ${said.join('; ')}.`,
    x: {label: 'share of documents, with 90% interval', percent: true},
    panels: [panel('a', `A: ${a}`), panel('b', `B: ${b}`)]
  }
}
