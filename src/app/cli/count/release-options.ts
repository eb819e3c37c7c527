import {counted, grouped, printable, printableLine} from '../../../base/text/index.ts'
import type {Counts, SiteStatement} from '../../../read/counts/index.ts'
import {withAtomicWriter, writeAtomically} from '../../../read/files/index.ts'
import {
  checkReleaseRules,
  checkSiteName,
  type Release,
  type ReleaseRules,
  releaseCounts,
  releaseDefaults,
  releasedNumbers,
  releaseToBytes,
  withheldNumbers
} from '../../../read/pooling/index.ts'
import {declared, wholeNumber} from '../../project/index.ts'
import {usageError} from '../common-options.ts'
import type {Output} from '../output.ts'

/** Tables that a site may share instead of whole counts. */
export interface ReleaseOptionValues extends Partial<ReleaseRules> {
  readonly site?: string
  /** Where the audit goes; by default beside the tables. */
  readonly audit?: string
  /** Show what would be disclosed, and write no tables. */
  readonly dryRun?: true
}

export const releaseOptions = declared(
  `
    --max-order <k>   write tables of at most k anchors and words, to pool with other sites, instead of counts (default: ${releaseDefaults.maxOrder})
    --min-cell <n>    withhold table cells of 1 to n - 1 documents (default: ${releaseDefaults.minCell})
    --site <name>     name of the site the tables come from
    --audit <file>    where to list everything the tables disclose (default: the output file with .audit.txt)`,
  {maxOrder: wholeNumber, minCell: wholeNumber}
)

/** The rules of the tables requested on the command line or agreed on; undefined for whole counts. */
export function releaseAsked(options: ReleaseOptionValues, agreed?: ReleaseRules): ReleaseRules | undefined {
  const {maxOrder, minCell, site, audit, dryRun} = options
  if (site !== undefined) checkSiteName(site)
  if ([maxOrder, minCell, site, agreed].some(value => value !== undefined)) {
    const rules = agreed ?? releaseDefaults
    const asked = {maxOrder: maxOrder ?? rules.maxOrder, minCell: minCell ?? rules.minCell}
    checkReleaseRules(asked)
    return asked
  }
  if (audit === undefined && dryRun === undefined) return undefined
  throw usageError(
    `${audit === undefined ? '--dry-run' : '--audit'} shows what tables would disclose; whole counts are not for sharing; add --max-order 2`
  )
}

export function releaseJson(release: Release) {
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
  const {documents, concepts, words, maxOrder, sites, numbers, withheld} = releaseJson(release)
  return (
    `${counted(documents, 'document')} of ${counted(sites.length, 'site')} (${sites.map(({name}) => name).join(', ')}), ` +
    `${counted(concepts, 'concept')}, ${counted(words, 'word')}: ` +
    `${grouped(numbers)} numbers of at most ${maxOrder} anchors or words, ${grouped(withheld)} of them withheld`
  )
}

/** Writes tables made from the counts, with their audit, and reports what they disclose. */
export async function writeRelease(
  counts: Counts,
  asked: ReleaseRules,
  options: ReleaseOptionValues & {readonly output: string},
  output: Output
): Promise<void> {
  const {output: file, dryRun, site} = options
  const audit = options.audit ?? (file === '-' || dryRun ? undefined : `${file}.audit.txt`)
  const release = releaseCounts(counts, {...asked, ...(site && {site})})
  if (counts.labelShare > 0)
    output.note(
      'tables have no labels; adfa doctor writes the anchors with rates by labels, which can be given instead'
    )
  const summary = auditSummary(release)
  // The audit comes first: tables are never there without it.
  if (audit !== undefined)
    await withAtomicWriter(audit, async listing => {
      await listing.write(`${printable(summary)}\nEvery number in the file:\n\n`)
      for (const line of auditLines(release)) await listing.write(`${printableLine(line)}\n`)
    })
  if (!dryRun) await writeAtomically(file, releaseToBytes(release))
  output.json({...(dryRun ? {isDryRun: true} : {file}), ...(audit && {audit}), ...releaseJson(release)})
  const written = [dryRun ? undefined : file, audit].filter(path => path !== undefined)
  output.print(`${summary}\n${describeRelease(release)}`)
  if (dryRun) output.print('dry run: no tables were written')
  if (written.length > 0) output.print(`wrote ${written.join(', ')}`)
}

/** What the file discloses, what it does not, and what to check before sending it. */
export function auditSummary(release: Release): string {
  const {sites, lexicon, protocol, maxOrder} = release
  const {anchors, words} = lexicon
  const names = sites.map(({name}) => name).join(', ')
  const whose = sites.length === 1 ? `site "${names}"` : `${sites.length} sites together (${names})`
  const mark = protocol && [protocol.name, protocol.fingerprint].map(printableLine)
  const sections = [
    `What this release discloses: the tables of ${whose}`,
    ...(mark ? [`Counted by the protocol "${mark[0]}", fingerprint ${mark[1]}.`] : []),
    list('The file contains', contents(release)),
    list('It does not contain', [
      'any text, record, label or identifier, nor which documents have what',
      `anything about more than ${maxOrder} anchors and words together`
    ]),
    ...new Set(sites.map(protection)),
    list('Before you send it', [
      `read the ${counted(words.length, 'word')} and the anchors of the ${counted(anchors.length, 'concept')}, which it contains: are names of people or places among them?`,
      'may the name of the site be known?',
      'were tables of nearly the same documents sent before? The difference of two files reveals the documents in between: make tables of the new documents alone, as a site of their own'
    ])
  ]
  return `${sections.join('\n\n')}\n`
}

/** Tables of 0 to 3 concepts, alone and with a word; # is how many there are. */
const KINDS: readonly (readonly [alone: string, withWord: string])[] = [
  ['', 'word (#), how many documents have it'],
  ['concept (#), how many documents have its anchor', 'concept with each word (#), how many documents have both'],
  [
    'pair of concepts (#), how many documents have the anchors of both',
    'pair of concepts with each word (#), how many documents have both'
  ],
  ['set of three concepts (#), how many documents have the anchors of all three', '']
]

/** One line per kind of number: tables of k anchors, then tables of k anchors and a word. */
function contents(release: Release): string[] {
  const {low} = release
  const kinds = new Map<string, {readonly numbers: number; readonly withheld: number}>()
  for (const {concepts, word, low, high} of releasedNumbers(release)) {
    const kind = KINDS[concepts.length][word === undefined ? 0 : 1]
    const {numbers, withheld} = kinds.get(kind) ?? {numbers: 0, withheld: 0}
    kinds.set(kind, {numbers: numbers + 1, withheld: withheld + (low === high ? 0 : 1)})
  }
  kinds.delete('')
  const lines = Array.from(kinds, ([kind, {numbers, withheld}]) => {
    const note = withheld === 0 ? '' : `; ${grouped(withheld)} withheld`
    return `for each ${kind.replace('#', grouped(numbers))}${note}`
  })
  return [`how many documents there are: ${grouped(low[0])}`, ...lines]
}

function protection({minCell}: SiteStatement): string {
  const small =
    minCell > 1
      ? `Numbers that would reveal a group of ${minCell === 2 ? '1 document' : `1 to ${minCell - 1} documents`} are withheld; a range of at least two numbers is given instead.\n` +
        'Further numbers are withheld so that none of these follows from the others, not even from values and votes that exclude each other, or anchors that imply each other: ' +
        'for each withheld number and each group so small there are other documents that agree with everything in this file and differ in it.'
      : 'Nothing is withheld: groups of a single document are visible (adfa count --min-cell 10 withholds them).'
  return `${small}\nThe other numbers are exact. Groups of more anchors and words than the tables have are not protected, nor is anything from a reader with background knowledge.`
}

/** Every number, one per line. */
export function* auditLines(release: Release): Generator<string, void, undefined> {
  const {anchors, words} = release.lexicon
  for (const {concepts, word, low, high} of releasedNumbers(release)) {
    const own = word === undefined ? [] : [`the word ${JSON.stringify(words[word])}`]
    const names = [...concepts.map(i => JSON.stringify(anchors[i].concept)), ...own]
    const range = low === high ? grouped(low) : `withheld, from ${grouped(low)} to ${grouped(high)}`
    yield `${names.join(' and ') || 'documents'}: ${range}`
  }
}

function list(title: string, items: readonly string[]): string {
  return [`${title}:`, ...items.map(item => `- ${item}`)].join('\n')
}
