import {type Command, InvalidArgumentError} from 'commander'
import {
  type Counts,
  type CountsHeader,
  describeShards,
  missingShards,
  mostShards,
  oneShard,
  type Shards,
  shardList
} from '../../../read/counts/index.ts'
import type {DocumentShard} from '../../../read/files/index.ts'
import type {Protocol} from '../../../read/pooling/index.ts'
import {flagOf, READING, typedOptions, usageError} from '../common-options.ts'
import {addOptions} from '../declare.ts'
import type {Output} from '../output.ts'

export interface ShardOptions {
  readonly shard?: DocumentShard
}

export function addShardOption(command: Command): Command {
  return addOptions(command, {shard: parseShard})`
    --shard <k/n>  count only part k of n of the documents, to be added up by adfa merge; needs --like or --protocol`
}

/** Refuses a shard that would not add up with the others; `hasTables`: tables to share are requested instead of counts. */
export function checkShardOption(options: ShardOptions, command: Command, hasTables: boolean): void {
  if (options.shard === undefined) return
  const {like, protocol, engine}: Readonly<Record<string, unknown>> = command.opts()
  const why = '--shard makes one part of a larger count'
  if (like === undefined && protocol === undefined)
    throw usageError(
      `${why}, and all parts need the same words and anchors; otherwise each would learn its own words; ` +
        'give --like FILE (counts of a sample, made with adfa count, or a model) or --protocol FILE (made with adfa protocol)'
    )
  if (hasTables)
    throw usageError(
      `${why}, and tables to share are made from all documents; count whole shards, and give --max-order to adfa merge`
    )
  if (engine !== undefined && engine !== 'memory')
    throw usageError(`${why} of files, and the engine ${engine} divides its work itself; leave --shard out`)
}

/** Marks the counts of a shard as such; other counts are returned unchanged. */
export function withShard<T extends CountsHeader>(
  counts: T,
  {shard}: ShardOptions,
  job: string | undefined,
  labels?: string
): T {
  if (shard === undefined || job === undefined) return counts
  return {...counts, shards: oneShard(shard.shard, shard.of, labels === undefined ? job : `${job}, ${labels}`)}
}

/** Notes that a shard is only a part, and when it is empty. */
export function noteShard(counts: Pick<Counts, 'documentCount'>, {shard}: ShardOptions, output: Output): void {
  if (shard === undefined) return
  if (shard.of > 1) output.note(`this is shard ${shard.shard} of ${shard.of}; adfa merge adds up all shards`)
  if (counts.documentCount === 0)
    output.note(`shard ${shard.shard} of ${shard.of} holds no document; that is fine, merge it like the others`)
}

/** The missing shards and the command to count the first one; empty for complete counts. */
export function partialText({shards, protocol}: CountsHeader, file: string): string {
  if (shards === undefined) return ''
  const missing = missingShards(shards)
  const [next] = missing
  const words = protocol === undefined ? `--like ${file}` : '--protocol PROTOCOL'
  return [
    `\npartial: ${describeShards(shards)}; missing ${shardList(missing)}`,
    `count ${missing.length === 1 ? 'it' : 'each of them'} from the same files in the same order, then merge:`,
    `  adfa count DOCS --shard ${next}/${shards.of} ${words} -o shard-${next}.counts`
  ].join('\n')
}

export function shardsJson(shards: Shards | undefined): object {
  return shards === undefined ? {} : {shards: {...shards, missing: missingShards(shards)}}
}

function parseShard(text: string): DocumentShard {
  const [, k, n] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const [shard, of] = [Number(k), Number(n)]
  if (!(shard >= 1 && shard <= of && of <= mostShards))
    throw new InvalidArgumentError('It must be a part and their number, from 1/n to n/n: 2/8 is the second of eight.')
  return {shard, of}
}

/** Options that a protocol fixes. */
const SETTLED = [...READING, 'anchors', 'anchorsFromTags', 'like', 'skipBadAnchors']

/** Refuses options on the command line that contradict the protocol; a site may only withhold more than agreed. */
export function refuseContradictions(command: Command, protocol: Protocol): void {
  const {labelShare, seed, release} = protocol
  const isTyped = (name: string) => typedOptions(command, [name]).length > 0
  const refuse = (name: string, agreed: string) =>
    usageError(
      `${flagOf(name)} contradicts the protocol "${protocol.name}", which ${agreed}; leave it out, or agree on another protocol`
    )
  for (const name of typedOptions(command, SETTLED)) throw refuse(name, 'settles how documents are read')
  const agreed = {
    labelShare,
    seed,
    maxOrder: release?.maxOrder
  }
  for (const [name, value] of Object.entries(agreed))
    if (isTyped(name) && command.getOptionValue(name) !== value)
      throw refuse(name, value === undefined ? 'asks for nothing of the kind' : `says ${value}`)
  if (isTyped('labels') && labelShare !== 1)
    throw refuse('labels', `has labels of ${labelShare === 0 ? 'no document' : `a share of ${labelShare}`} counted`)
  for (const name of ['minCell', 'site'])
    if (isTyped(name) && release === undefined) throw refuse(name, 'asks for whole counts')
  const minCell: unknown = isTyped('minCell') ? command.getOptionValue('minCell') : undefined
  if (release !== undefined && typeof minCell === 'number' && minCell < release.minCell)
    throw refuse('minCell', `withholds cells below ${release.minCell}; a site may withhold more, not less`)
}
