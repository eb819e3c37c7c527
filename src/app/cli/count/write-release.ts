import type {Counts} from '../../../read/counts/index.ts'
import {type AtomicWriter, withAtomicWriter} from '../../../read/files/index.ts'
import {
  type Audit,
  auditRelease,
  type PrivacyRules,
  privacyNoise,
  type ReleaseOptions,
  type ReleaseRules,
  releaseCounts,
  releaseToBytes
} from '../../../read/pooling/index.ts'
import type {Output} from '../output.ts'
import {noiseRandomness} from './privacy-options.ts'
import {describeRelease, releaseJson} from './release-options.ts'

/** How tables are written, beside what is in them. */
export interface WritingOptions {
  readonly privacy?: PrivacyRules | undefined
  readonly noiseSeed?: number
  /** Where the audit goes; by default beside the tables. */
  readonly audit?: string
  /** Show what would leave the house, and write no tables. */
  readonly dryRun?: true
}

/** Write the tables that are asked for of counts, once they are there, with their audit, and say what is in them. */
export async function writeRelease(
  file: string,
  asked: ReleaseRules & Partial<ReleaseOptions>,
  output: Output,
  count: () => Promise<Counts>,
  options: WritingOptions = {}
): Promise<void> {
  const {privacy, noiseSeed, dryRun} = options
  const audit = options.audit ?? (file === '-' || dryRun ? undefined : `${file}.audit.txt`)
  const {release, summary} = await withFile(dryRun ? undefined : file, tables =>
    withFile(audit, async listing => {
      const counts = await count()
      const noise = privacy && privacyNoise(counts, asked.maxOrder, privacy, noiseRandomness(noiseSeed))
      const release = releaseCounts(counts, {...asked, ...(noise && {noise})})
      const found = auditRelease(release)
      await tables?.write(releaseToBytes(release))
      if (listing !== undefined) await writeAudit(found, listing)
      return {release, summary: found.summary}
    })
  )
  output.json({...(dryRun ? {isDryRun: true} : {file}), ...(audit && {audit}), ...releaseJson(release)})
  const written = [dryRun ? undefined : file, audit].filter(path => path !== undefined)
  output.print(
    [
      `${summary}\n${describeRelease(release)}`,
      ...(dryRun ? ['dry run: no tables were written'] : []),
      ...(written.length > 0 ? [`wrote ${written.join(', ')}`] : [])
    ].join('\n')
  )
}

/** Write a file if there is one to write. */
function withFile<T>(path: string | undefined, work: (writer: AtomicWriter | undefined) => Promise<T>): Promise<T> {
  return path === undefined ? work(undefined) : withAtomicWriter(path, work)
}

async function writeAudit({summary, lines}: Audit, writer: AtomicWriter): Promise<void> {
  await writer.write(`${summary}\nEvery number in the file:\n\n`)
  for (const line of lines()) await writer.write(`${line}\n`)
}
