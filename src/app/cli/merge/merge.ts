import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import {countsToBytes, mergeCounts} from '../../../read/counts/index.ts'
import {withAtomicWriter} from '../../../read/files/index.ts'
import {addCommonOptions, type CommonOptions, outputOf} from '../common-options.ts'
import {describeCounts} from '../count/count.ts'
import {addReleaseOptions, type ReleaseOptionValues, releaseAsked} from '../count/release-options.ts'
import {partialText, shardsJson} from '../count/shard-option.ts'
import {writeRelease} from '../count/write-release.ts'
import {addedText, copiesAmong, readParts, refuseTwice} from './merge-parts.ts'
import {areReleases, mergeReleases} from './merge-releases.ts'

interface MergeOptions extends CommonOptions, ReleaseOptionValues {
  readonly output: string
}

export function addMergeCommand(program: Command): void {
  const command = program
    .command('merge')
    .summary('add counts of several files, shards or sites up, exactly')
    .description('Add counts up. The result is, byte for byte, the counts of all documents together.')
    .argument('<counts...>', 'counts files made with the same anchors, vocabulary and options')
    .requiredOption('-o, --output <file>', 'the counts file to write')
  addCommonOptions(addReleaseOptions(command))
    .addHelpText(
      'after',
      `
Examples:
  adfa merge january.counts february.counts -o both.counts
  adfa merge shard-*.counts -o all.counts   # of adfa count --shard; says which are missing
  adfa merge north.tables south.tables -o both.tables   # of adfa count --max-order at two sites
  adfa merge january.counts february.counts --max-order 2 --min-cell 10 --site North -o north.tables`
    )
    .action(async (paths: string[], options: MergeOptions) => {
      const output = outputOf(options)
      refuseTwice(paths)
      const asked = releaseAsked(options)
      if (await areReleases(paths)) {
        refuseAgain(asked)
        return mergeReleases(paths, options.output, output)
      }
      if (asked !== undefined) {
        await writeRelease(options.output, asked, output, async () =>
          mergeCounts(
            (await readParts(paths)).map(({counts}) => counts),
            paths
          )
        )
        return
      }
      const {parts, merged} = await withAtomicWriter(options.output, async writer => {
        const parts = await readParts(paths)
        for (const remark of copiesAmong(parts)) output.note(remark)
        const merged = mergeCounts(
          parts.map(({counts}) => counts),
          paths
        )
        await writer.write(countsToBytes(merged))
        return {parts, merged}
      })
      const {documentCount: documents, patternCount: patterns, shards} = merged
      output.json({
        file: options.output,
        documents,
        patterns,
        isComplete: shards === undefined,
        ...shardsJson(shards),
        added: parts.map(({file, counts}) => ({
          file,
          documents: counts.documentCount,
          ...(counts.shards && {shards: counts.shards.done})
        }))
      })
      output.note(addedText(parts))
      output.print(`${describeCounts(merged)}\nwrote ${options.output}${partialText(merged, options.output)}`)
    })
}

/** Tables are as each site released them. */
function refuseAgain(asked: object | undefined): void {
  if (asked === undefined) return
  throw new AdfaError(
    'bad-option',
    '--max-order, --min-cell and --site cannot change tables that were released already; leave them out'
  )
}
