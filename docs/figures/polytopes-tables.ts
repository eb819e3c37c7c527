import type {SkippedAnchor} from 'adfa'
import {type Method, oracles, polytopes, type Result} from './polytopes-measure.ts'

/** All that was measured on one corpus, and how. */
export interface CorpusResults {
  readonly corpus: string
  readonly command: string
  readonly date: string
  readonly versions: Readonly<Record<string, string>>
  /** Asked of the marginal polytope. */
  readonly gap: number
  /** Seconds for one recovery, at most. */
  readonly timeLimit: number
  readonly documents: number
  readonly concepts: readonly string[]
  readonly leftOut: readonly SkippedAnchor[]
  readonly results: readonly Result[]
}

export type Recorded = readonly CorpusResults[]

/** Results that stand in one row of a table, or above one another in the figure. */
export interface ResultGroup {
  readonly label: string
  /** Training documents, in the mean over splits. */
  readonly size: number
  readonly results: readonly Result[]
}

export const methods: readonly Method[] = [...polytopes, ...oracles]

/** The page: what was done, then for each corpus its commands and tables. */
export function tables(recorded: Recorded): string {
  return `${[introduction, ...recorded.map(corpusSection)].join('\n\n')}\n`
}

const introduction = `# Robustness by polytope: held-out log-likelihood of the tags

![Held-out log-likelihood by training documents, one line a polytope](polytopes.svg)

This page, the picture and \`polytopes.json\` are made by the commands below. A tree over the tags is learned without the tags, from anchors
alone, with the moments of each polytope in turn; a figure is the mean of log P(tags) of a held-out document, in nats, over random splits
(75% training, 25% held out). Higher is better. Rates of the anchors are given, as in the paper: those of the tags of all training documents of the split; prevalences
come from the anchors of the documents used. Pull is the pull to independence, N the training documents.

- *Oracles* learn from the true tags of the same training documents with the same pull, which then means that so many documents with independent
  tags are mixed in: the tree, and no edges at all.
- *Generated* documents are drawn from the tree that the marginal polytope gives for all training documents of the split, their anchors by
  the rates: there every assumption holds.
- *marginal - simplex*: the mean difference, its least and largest over the splits, and in how many splits it is above 0.
- *gap*: the largest certified gap of the marginal moments. A tree of moments that were stopped early is another tree, not always a worse one.`

function corpusSection(corpus: CorpusResults): string {
  const {results} = corpus
  const splits = new Set(results.map(({seed}) => seed)).size
  const full = bySize(results.filter(({data}) => data === 'real')).at(-1)
  const parts = [
    `## ${corpus.corpus}`,
    `\`${corpus.command}\`\n\n${facts(corpus, splits)}`,
    `All training documents, by pull:\n\n${table('pull', byPull(full?.results ?? []))}`
  ]
  for (const data of ['real', 'generated'] as const) {
    const groups = bySize(results.filter(result => result.data === data && result.pull === '10/N'))
    if (groups.length > 1)
      parts.push(`${data === 'real' ? 'Real' : 'Generated'} documents, pull 10/N:\n\n${table('training', groups)}`)
  }
  return parts.join('\n\n')
}

function facts({date, versions, documents, concepts, leftOut, gap, timeLimit}: CorpusResults, splits: number): string {
  const gone = [...new Set(leftOut.map(({concept}) => concept))].filter(concept => !concepts.includes(concept))
  const made = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `${date}, ${made.join(', ')}. ${whole(documents)} documents, ${concepts.length} concepts, ${splits} splits;`,
    `gap asked of the marginal polytope ${gap}, at most ${timeLimit} s each.`,
    gone.length === 0 ? '' : `Left out, for anchors that are shared or say too little: ${gone.join(', ')}.`
  ]
    .join(' ')
    .trim()
}

function table(heading: string, groups: readonly ResultGroup[]): string {
  const rows = groups.map(({label, results}) => {
    const marginal = of(results, 'marginal')
    return [
      label,
      ...methods.map(method => nats(mean(of(results, method).map(({logLikelihood}) => logLikelihood)))),
      difference(results),
      Math.max(...marginal.map(({gap}) => gap)).toPrecision(1),
      stopped(marginal),
      mean(marginal.map(({seconds}) => seconds)).toPrecision(2)
    ]
  })
  const head = [heading, ...methods, 'marginal - simplex', 'gap', 'stopped', 'marginal s']
  return [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
}

function difference(results: readonly Result[]): string {
  const simplex = new Map(of(results, 'simplex').map(({seed, logLikelihood}) => [seed, logLikelihood]))
  const differences = of(results, 'marginal').map(
    ({seed, logLikelihood}) => logLikelihood - (simplex.get(seed) ?? Number.NaN)
  )
  const above = differences.filter(value => value > 0).length
  const [least, largest] = [Math.min(...differences), Math.max(...differences)]
  return `${nats(mean(differences))} (${nats(least)} to ${nats(largest)}), ${above} of ${differences.length}`
}

/** Why the solver ended, when it did not reach the gap. */
function stopped(results: readonly Result[]): string {
  const early = results.filter(({status}) => status !== 'optimal')
  return early.length === 0 ? 'never' : `${early.length} of ${results.length}: ${early[0].status}`
}

/** Groups of equal size, ascending; all training documents of a split are a few more or fewer by the split. */
export function bySize(results: readonly Result[]): ResultGroup[] {
  const full = new Map<number, number>()
  for (const {seed, size} of results) full.set(seed, Math.max(size, full.get(seed) ?? 0))
  const groups = new Map<string, Result[]>()
  for (const result of results) {
    const label = result.size === full.get(result.seed) ? 'all' : whole(result.size)
    groups.set(label, [...(groups.get(label) ?? []), result])
  }
  return [...groups]
    .map(([label, group]) => ({label, size: mean(group.map(({size}) => size)), results: group}))
    .sort((a, b) => a.size - b.size)
    .map(group => (group.label === 'all' ? {...group, label: `all, about ${whole(Math.round(group.size))}`} : group))
}

function byPull(results: readonly Result[]): ResultGroup[] {
  const pulls = [...new Set(results.map(({pull}) => pull))]
  return pulls.map(pull => {
    const group = results.filter(result => result.pull === pull)
    return {label: String(pull), size: mean(group.map(({size}) => size)), results: group}
  })
}

export function of(results: readonly Result[], method: Method): readonly Result[] {
  return results.filter(result => result.method === method)
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function nats(value: number): string {
  return value.toFixed(3)
}

function whole(value: number): string {
  return value.toLocaleString('en')
}
