import type {SkippedAnchor} from 'adfa'
import type {GapResult} from './polytopes-gaps.ts'
import {type Method, oracles, polytopes, type Result} from './polytopes-measure.ts'
import {introduction} from './polytopes-text.ts'

/** One run of the script. */
interface Run {
  readonly command: string
  readonly date: string
  readonly versions: Readonly<Record<string, string>>
  /** Asked of the marginal polytope. */
  readonly gap: number
  /** Seconds for one recovery, at most. */
  readonly timeLimit: number
}

/** All that was measured on one corpus, and how. */
export interface CorpusResults extends Run {
  readonly corpus: string
  readonly documents: number
  readonly concepts: readonly string[]
  readonly leftOut: readonly SkippedAnchor[]
  readonly results: readonly Result[]
  /** What the gap of the marginal polytope does. */
  readonly byGap?: GapResults
}

interface GapResults extends Run {
  readonly results: readonly GapResult[]
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
  if (corpus.byGap !== undefined) parts.push(gapSection(corpus.byGap, results))
  return parts.join('\n\n')
}

/** The marginal polytope by gap, beside the other polytopes on the same splits. */
function gapSection({command, timeLimit, results}: GapResults, others: readonly Result[]): string {
  const asked = [...new Set(results.map(result => result.asked))]
  const groups = [
    ...byPull(results.filter(({data}) => data === 'real')).map(group => ({
      ...group,
      label: `real, all, ${group.label}`
    })),
    ...bySize(results.filter(({data}) => data === 'generated')).map(group => ({
      ...group,
      label: `generated, ${group.label.startsWith('all') ? 'all' : group.label}, 10/N`
    }))
  ]
  const rows = groups.map(({label, results: group}) => [
    label,
    ...polytopes
      .filter(polytope => polytope !== 'marginal')
      .map(polytope =>
        logLikelihood(of(others, polytope).filter(other => group.some(one => isSameSetting(one, other))))
      ),
    ...asked.map(gap => {
      const some = group.filter(result => 'asked' in result && result.asked === gap)
      return `${logLikelihood(some)} (${Math.max(...some.map(result => result.gap)).toPrecision(1)})`
    })
  ])
  const head = ['documents, pull', 'simplex', 'local', 'cycle', ...asked.map(gap => `marginal, gap ${gap}`)]
  const splits = new Set(results.map(({seed}) => seed)).size
  const title = `The marginal polytope by the gap asked for, ${splits} splits, at most ${timeLimit} s each; in brackets the largest gap reached:`
  return [title, `\`${command}\``, rowsOf([head, ...rows])].join('\n\n')
}

function isSameSetting(a: Result, b: Result): boolean {
  return a.data === b.data && a.seed === b.seed && a.size === b.size && a.pull === b.pull
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
      ...methods.map(method => logLikelihood(of(results, method))),
      difference(results),
      Math.max(...marginal.map(({gap}) => gap)).toPrecision(1),
      stopped(marginal),
      mean(marginal.map(({seconds}) => seconds)).toPrecision(2)
    ]
  })
  const head = [heading, ...methods, 'marginal - simplex', 'gap', 'stopped', 'marginal s']
  return rowsOf([head, ...rows])
}

function rowsOf([head, ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
}

function difference(results: readonly Result[]): string {
  const simplex = new Map(of(results, 'simplex').map(result => [result.seed, result.logLikelihood]))
  const differences = of(results, 'marginal').map(
    result => result.logLikelihood - (simplex.get(result.seed) ?? Number.NaN)
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

function logLikelihood(results: readonly Result[]): string {
  return nats(mean(results.map(result => result.logLikelihood)))
}

function nats(value: number): string {
  return value.toFixed(3)
}

function whole(value: number): string {
  return value.toLocaleString('en')
}
