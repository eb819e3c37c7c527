import {AdfaError, arrayAt, objectAt, textAt, wholeAt} from '../../base/checks/index.ts'

/** A larger number is far more likely a mistake, and missing shards are listed. */
export const mostShards = 1_000_000

/**
 * Which parts of a job counts hold. A job is a list of files cut into `of` shards. Counts of a whole job have no such
 * record, like counts that were never cut, so that both are the same bytes.
 */
export interface Shards {
  readonly of: number
  /** The counted shards, from 1, ascending; at least one, never all. */
  readonly done: readonly number[]
  /** Identifies what was cut and how it is read; only shards of one job add up. */
  readonly job: string
}

/** The record of one shard, or none when it is the only one. */
export function oneShard(shard: number, of: number, job: string): Shards | undefined {
  return withoutComplete({of, done: [shard], job})
}

export function missingShards({of, done}: Shards): number[] {
  const there = new Set(done)
  return Array.from({length: of}, (_, at) => at + 1).filter(shard => !there.has(shard))
}

/** Counts or their header. */
interface Part {
  readonly shards?: Shards | undefined
}

/** The shards of a sum, or undefined when it is complete. Refuses a repeated shard and parts of other jobs. */
export function addShards(parts: readonly Part[], nameOf: (part: number) => string): Shards | undefined {
  const first = parts.findIndex(({shards}) => shards !== undefined)
  const job = parts[first]?.shards
  if (job === undefined) return undefined
  const owners = new Map<number, number>()
  for (const [part, {shards}] of parts.entries()) {
    const fault = differenceOf(job, shards, [nameOf(first), nameOf(part)])
    if (fault !== undefined) throw new AdfaError('mismatch', fault)
    for (const shard of shards?.done ?? []) {
      const owner = owners.get(shard)
      if (owner !== undefined)
        throw new AdfaError(
          'mismatch',
          `${nameOf(owner)} and ${nameOf(part)} both hold shard ${shard} of ${job.of}; ` +
            'its documents would count twice; leave one of the files out'
        )
      owners.set(shard, part)
    }
  }
  return withoutComplete({...job, done: [...owners.keys()].sort((a, b) => a - b)})
}

/** What keeps a part from adding up with a job, and the way out. */
function differenceOf(job: Shards, shards: Shards | undefined, [first, part]: readonly string[]): string | undefined {
  if (shards === undefined)
    return (
      `${first} holds ${describeShards(job)}, ${part} is complete; ` +
      'a shard adds up only with the other shards of its job; merge those first, then add the complete counts'
    )
  if (shards.of !== job.of || shards.job !== job.job)
    return (
      `${first} and ${part} are shards of different jobs (of ${job.of}: ${job.job}, and of ${shards.of}: ${shards.job}); all shards ` +
      'need the same files, in the same order, cut and read in the same way; count again with the same DOCS, number of shards and options'
    )
  return undefined
}

/** Refuse counts with missing shards: a model of some documents must not pass for one of all. */
export function requireComplete({shards}: Part, where = 'these counts'): void {
  if (shards === undefined) return
  const missing = missingShards(shards)
  throw new AdfaError(
    'bad-counts',
    `${where === 'these counts' ? where : `${where}: these counts`} hold ${describeShards(shards)}; missing ${shardList(missing)}; ` +
      `count them with adfa count --shard ${missing[0]}/${shards.of} ... and merge`,
    {details: {of: shards.of, done: [...shards.done], missing}}
  )
}

/** "shard 2 of 4", "shards 1, 3-5 of 8". */
export function describeShards({of, done}: Pick<Shards, 'of' | 'done'>): string {
  return `${done.length === 1 ? 'shard' : 'shards'} ${shardList(done)} of ${of}`
}

/** Ascending numbers in words, runs of three or more as a range: "1, 3-5, 7, 8". */
export function shardList(shards: readonly number[]): string {
  const runs: string[] = []
  for (let from = 0; from < shards.length; ) {
    let to = from
    while (to + 1 < shards.length && shards[to + 1] === shards[to] + 1) to++
    if (to - from >= 2) runs.push(`${shards[from]}-${shards[to]}`)
    else for (let at = from; at <= to; at++) runs.push(String(shards[at]))
    from = to + 1
  }
  return runs.join(', ')
}

/** A record of shards as a file has it; faults are plain Errors. */
export function shardsAt(value: unknown): Shards {
  const {of: total, done: list, job: name} = objectAt(value, 'shards')
  const of = wholeAt(total, 'shards.of')
  const done = arrayAt(list, 'shards.done', (shard, place) => wholeAt(shard, place, 1))
  const isAscending = done.every((shard, at) => at === 0 || shard > done[at - 1])
  if (of > mostShards || !isAscending || done.length === 0 || done.length >= of || done[done.length - 1] > of)
    throw new Error('its record of shards is invalid')
  return {of, done, job: textAt(name, 'shards.job')}
}

function withoutComplete(shards: Shards): Shards | undefined {
  return shards.done.length === shards.of ? undefined : shards
}
