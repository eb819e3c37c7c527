import type {Command} from 'commander'
import {counted, grouped, printable, printableLine} from '../../../base/text/index.ts'
import type {Counts} from '../../../read/counts/index.ts'
import {type AtomicWriter, readBinaryFile, withAtomicWriter} from '../../../read/files/index.ts'
import {
  checkReleaseRules,
  checkSiteName,
  type Release,
  type ReleaseOptions,
  type ReleaseRules,
  releaseCounts,
  releaseDefaults,
  releaseFromBytes,
  releaseToBytes,
  withheldNumbers
} from '../../../read/pooling/index.ts'
import {type AnchorOptions, flagOf, typedOptions, usageError, wholeNumber} from '../common-options.ts'
import {addOptions} from '../declare.ts'
import type {Output} from '../output.ts'
import {readProtocol} from '../read-anchors.ts'
import {auditLines, auditSummary} from './audit.ts'
import {refuseContradictions} from './shard-option.ts'

/** Tables that a site may share instead of whole counts. */
export interface ReleaseOptionValues {
  readonly maxOrder?: number
  readonly minCell?: number
  readonly site?: string
  /** A file of tables. */
  readonly earlier?: string
}

export function addReleaseOptions(command: Command): Command {
  const {maxOrder, minCell} = releaseDefaults
  return addOptions(command, {maxOrder: wholeNumber, minCell: wholeNumber})`
    --max-order <k>   write tables of at most k anchors and words, to pool with other sites, instead of counts (default: ${maxOrder})
    --min-cell <n>    withhold table cells of 1 to n - 1 documents (default: ${minCell})
    --site <name>     name of the site the tables come from
    --earlier <file>  tables of this site sent before; the documents are those added since, and the tables are of both together
    --audit <file>    where to list everything the tables disclose (default: the output file with .audit.txt)`
}

/** The tables requested, or undefined for whole counts. */
export function releaseAsked({
  maxOrder,
  minCell,
  site,
  earlier
}: ReleaseOptionValues): (ReleaseRules & Pick<ReleaseOptionValues, 'site'>) | undefined {
  if ([maxOrder, minCell, site, earlier].every(value => value === undefined)) return undefined
  const rules = {
    maxOrder: maxOrder ?? releaseDefaults.maxOrder,
    minCell: minCell ?? releaseDefaults.minCell
  }
  checkReleaseRules(rules)
  if (site !== undefined) checkSiteName(site)
  return {...rules, ...(site !== undefined && {site})}
}

export function releaseJson(release: Release): object {
  const {lexicon, maxOrder, sites, low} = release
  return {
    documents: low[0],
    concepts: lexicon.anchors.length,
    words: lexicon.words.length,
    maxOrder,
    sites,
    numbers: low.length,
    withheld: withheldNumbers(release)
  }
}

export function describeRelease(release: Release): string {
  const {lexicon, maxOrder, sites, low} = release
  const numbers = low.length
  return (
    `${counted(low[0], 'document')} of ${counted(sites.length, 'site')} (${sites.map(({name}) => name).join(', ')}), ` +
    `${counted(lexicon.anchors.length, 'concept')}, ${counted(lexicon.words.length, 'word')}: ` +
    `${grouped(numbers)} numbers of at most ${maxOrder} anchors or words, ` +
    `${grouped(withheldNumbers(release))} of them withheld`
  )
}

export interface ReleasePlanOptions extends ReleaseOptionValues, Pick<AnchorOptions, 'protocol'> {
  /** Where the audit goes; by default beside the tables. */
  readonly audit?: string
  /** Show what would be disclosed, and write no tables. */
  readonly dryRun?: true
}

/** What adfa count writes, by the command line and the protocol together; without `release`, whole counts. */
export async function planRelease(options: ReleasePlanOptions, command: Command) {
  const protocol = options.protocol === undefined ? undefined : await readProtocol(options.protocol)
  if (protocol !== undefined) refuseContradictions(command, protocol)
  const {maxOrder, minCell, site} = options
  const typed = Object.fromEntries(Object.entries({maxOrder, minCell, site}).filter(([, value]) => value !== undefined))
  const release = releaseAsked({...protocol?.release, ...typed, ...(options.earlier && {earlier: options.earlier})})
  const [idle] = typedOptions(command, ['audit', 'dryRun'])
  if (release === undefined && idle !== undefined)
    throw usageError(
      `${flagOf(idle)} shows what tables would disclose; whole counts are not for sharing; add --max-order 2`
    )
  return {protocol, release}
}

/** Where tables and their audit are written. */
interface WritingOptions extends Pick<ReleasePlanOptions, 'minCell' | 'earlier' | 'audit' | 'dryRun'> {
  readonly output: string
}

/** Writes tables made from the counts, with their audit, and reports what they disclose. */
export async function writeRelease(
  counts: Counts,
  asked: ReleaseRules & Partial<ReleaseOptions>,
  options: WritingOptions,
  output: Output
): Promise<void> {
  const {output: file, dryRun} = options
  const audit = options.audit ?? (file === '-' || dryRun ? undefined : `${file}.audit.txt`)
  const earlier = options.earlier === undefined ? undefined : await readRelease(options.earlier)
  // By default, what is added withholds as much as what was sent before.
  const minCell = options.minCell ?? Math.max(asked.minCell, earlier?.sites[0].minCell ?? 0)
  const release = releaseCounts(counts, {...asked, minCell, ...(earlier && {earlier})})
  const summary = auditSummary(release)
  const tables = releaseToBytes(release)
  // Both files are opened before one is put in place: neither is there without the other.
  await withFile(dryRun ? undefined : file, writer =>
    withFile(audit, async listing => {
      await writer?.write(tables)
      await listing?.write(`${printable(summary)}\nEvery number in the file:\n\n`)
      for (const line of listing === undefined ? [] : auditLines(release))
        await listing?.write(`${printableLine(line)}\n`)
    })
  )
  output.json({...(dryRun ? {isDryRun: true} : {file}), ...(audit && {audit}), ...releaseJson(release)})
  const written = [dryRun ? undefined : file, audit].filter(path => path !== undefined)
  output.print(`${summary}\n${describeRelease(release)}`)
  if (dryRun) output.print('dry run: no tables were written')
  if (written.length > 0) output.print(`wrote ${written.join(', ')}`)
}

/** Opens a file to write, if one is named. */
function withFile<T>(path: string | undefined, work: (writer: AtomicWriter | undefined) => Promise<T>): Promise<T> {
  return path === undefined ? work(undefined) : withAtomicWriter(path, work)
}

export async function readRelease(file: string): Promise<Release> {
  return releaseFromBytes(await readBinaryFile(file), file)
}
