/** A comparison in sentences, tables and a chart. */
import {counted, factorText, listed, percent} from '../../base/text/index.ts'
import type {Comparison, Figure, RateName, Verdict, WordChange} from '../../use/comparison/index.ts'
import type {Chart} from '../drawing/index.ts'
import type {CellView, TableView} from './comparison-views.ts'
import {readableFeature} from './feature-group.ts'

/** Which concepts and anchors differ. */
export function summaryOf({added, removed, renamed, concepts, edges, crossed = []}: Comparison): string[] {
  const members = concepts.flatMap(({concept, anchor: {gained, lost}}) => [
    ...(gained.length > 0 ? [`The anchor of ${concept} has ${listed(gained)} in B only.`] : []),
    ...(lost.length > 0 ? [`The anchor of ${concept} has ${listed(lost)} in A only.`] : [])
  ])
  const lines = [
    ...renamed.map(({from, to}) => `${from} is called ${to} in B.`),
    ...(added.length > 0 ? [`Only B has ${listed(added)}.`] : []),
    ...(removed.length > 0 ? [`Only A has ${listed(removed)}.`] : []),
    ...members
  ]
  if (lines.length > 0) return lines
  const isEqual = concepts.length + edges.length + crossed.length === 0
  return [isEqual ? 'The two models do not differ.' : 'Both have the same concepts and anchors.']
}

/** `today`: the names of concepts of B in the project, where their documents can be listed. */
export function sectionsOf(comparison: Comparison, today: ReadonlyMap<string, string>): TableView[] {
  return [rates(comparison), links(comparison), words(comparison), crossings(comparison, today)]
}

const RATE_WORDS: Readonly<Record<RateName, string>> = {
  prevalence: 'documents that have it',
  precision: 'documents that have it where the anchor fires',
  truePositive: 'anchor fires in documents with it',
  falsePositive: 'anchor fires in documents without it'
}

function rates({concepts}: Comparison): TableView {
  const names = Object.keys(RATE_WORDS) as RateName[]
  return {
    title: 'Rates, with 90% intervals',
    none: 'No rate differs visibly.',
    head: ['Concept', 'Share of', 'A', 'B', 'B is'],
    rows: concepts.flatMap(({concept, rates}) =>
      names.flatMap(name => {
        const change = rates[name]
        if (change === undefined) return []
        const [a, b] = [share(change.a), share(change.b)]
        // What reads the same is no difference to people.
        return a === b ? [] : [[concept, RATE_WORDS[name], a, b, verdictCell(change.verdict)]]
      })
    )
  }
}

function share({value, low, high}: Figure): string {
  return low === undefined || high === undefined || low === high
    ? percent(value)
    : `${percent(value)} (${percent(low)} to ${percent(high)})`
}

function links({edges}: Comparison): TableView {
  return {
    title: 'Links between concepts',
    none: 'No link was gained, lost, reversed or clearly changed.',
    head: ['Link', 'Change', 'A', 'B', 'Odds in B are'],
    rows: edges.map(({kind, between, a, b, verdict}) => [
      between.join(' and '),
      kind,
      odds(a),
      odds(b),
      verdictCell(verdict)
    ])
  }
}

function verdictCell(verdict: Verdict): CellView {
  return verdict === 'higher' || verdict === 'lower' ? verdict : {words: verdict, isQuiet: true}
}

function odds(ratio: number | undefined): CellView {
  return ratio === undefined ? {words: 'no link', isQuiet: true} : `${factorText(ratio)} times the odds`
}

function words({concepts}: Comparison): TableView {
  const names = (some: readonly WordChange[]) => some.map(({word}) => readableFeature(word)).join(', ')
  return {
    title: 'The first 20 words of a concept',
    none: 'They are the same.',
    head: ['Concept', 'New in B', 'Gone in B', 'Moved most'],
    rows: concepts
      .filter(each => each.words.length > 0)
      .map(each => [
        each.concept,
        names(each.words.filter(({a}) => a === undefined)),
        names(each.words.filter(({b}) => b === undefined)),
        each.words.flatMap(({word, a, b}) => (a && b ? [`${readableFeature(word)} ${a} to ${b}`] : [])).join(', ')
      ])
  }
}

function crossings({crossed = []}: Comparison, today: ReadonlyMap<string, string>): TableView {
  return {
    title: 'Documents that cross the threshold',
    none: 'None.',
    head: ['Concept', 'Reported only by B', 'Reported only by A'],
    rows: crossed.map(({concept, entered, left}) => {
      const name = today.get(concept)
      const cell = (count: number, which: 'entered' | 'left'): CellView => {
        const words = counted(count, 'document')
        if (name === undefined || count === 0) return words
        const label = `${words} of ${concept}, reported only by ${which === 'entered' ? 'B' : 'A'}`
        return {words, label, query: {concept: name, crossed: which}}
      }
      return [concept, cell(entered, 'entered'), cell(left, 'left')]
    })
  }
}

/** Prevalences of both sides with their intervals, in the order of the comparison. */
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
