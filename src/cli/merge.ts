import type {Command} from 'commander'
import {AdfaError, type Counts, countsFromBytes, countsToBytes, mergeCounts} from '../index.ts'
import {readBinaryFile, withAtomicWriter} from '../node.ts'
import {addCommonOptions, type CommonOptions, outputOf} from './common-options.ts'
import {describeCounts} from './count.ts'

export function addMergeCommand(program: Command): void {
  const command = program
    .command('merge')
    .summary('add counts of several files or sites up, exactly')
    .description('Add counts up. The result is, byte for byte, the counts of all documents together.')
    .argument('<counts...>', 'counts files made with the same anchors, vocabulary and options')
    .requiredOption('-o, --output <file>', 'the counts file to write')
  addCommonOptions(command)
    .addHelpText('after', '\nExample:\n  adfa merge january.counts february.counts -o both.counts')
    .action(async (paths: string[], options: CommonOptions & {readonly output: string}) => {
      const output = outputOf(options)
      const merged = await withAtomicWriter(options.output, async writer => {
        const parts = await Promise.all(paths.map(async path => countsFromBytes(await readBinaryFile(path), path)))
        const sum = mergeNamed(parts, paths)
        await writer.write(countsToBytes(sum))
        return sum
      })
      output.json({file: options.output, documents: merged.documentCount, patterns: merged.patternCount})
      output.print(`${describeCounts(merged)}\nwrote ${options.output}`)
    })
}

function mergeNamed(parts: readonly Counts[], paths: readonly string[]): Counts {
  try {
    return mergeCounts(parts)
  } catch (error) {
    if (!(error instanceof AdfaError)) throw error
    throw new AdfaError(error.code, `${paths.join(', ')}: ${error.message}`, {cause: error})
  }
}
