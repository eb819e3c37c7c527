import type {Command} from 'commander'
import {type Counts, countsToBytes, type Lexicon} from '../index.ts'
import {type CountingStage, countDocuments, openDocuments, writeAtomically} from '../node.ts'
import {
  addCommonOptions,
  addReadingOptions,
  anchorSource,
  type CommonOptions,
  countingOptions,
  type FormatOptions,
  outputOf,
  type ReadingOptions
} from './common-options.ts'
import type {Output} from './output.ts'

export type CountOptions = CommonOptions & ReadingOptions & FormatOptions

const STAGE_WORDS: Readonly<Record<CountingStage, string>> = {
  tags: 'reading tags',
  vocabulary: 'learning the vocabulary',
  counting: 'counting'
}

export function addCountCommand(program: Command): void {
  const command = program
    .command('count')
    .summary('count documents once; every later step takes the counts')
    .description('Group documents by which anchors fired and count words in each group: all that learning needs.')
    .argument('<docs...>', 'document files (JSON Lines, CSV, TSV, svmlight, Matrix Market; .gz and .zst too), or -')
    .requiredOption('-o, --output <file>', 'the counts file to write')
  addCommonOptions(addReadingOptions(command))
    .addHelpText(
      'after',
      `
Examples:
  adfa count notes.jsonl.gz --anchors anchors.json -o notes.counts
  adfa count questions.jsonl --anchors-from-tags title --latents 50 --min-tags 2 --label-share 1 -o q.counts
  adfa count more.jsonl --like notes.counts -o more.counts   # same words and anchors, so that the two can be merged`
    )
    .action(async (paths: string[], options: CountOptions & {readonly output: string}) => {
      const output = outputOf(options)
      const counts = await countFiles(paths, options, output)
      await writeAtomically(options.output, countsToBytes(counts))
      output.json(countSummary(counts, options.output))
      noteSkipped(counts.lexicon, output)
      output.print(describeCounts(counts))
      output.print(`wrote ${options.output}`)
    })
}

/** Count document files as the command line asks, with progress. */
export async function countFiles(paths: readonly string[], options: CountOptions, output: Output): Promise<Counts> {
  const anchors = await anchorSource(options)
  const fields = anchors.kind === 'lexicon' ? anchors.lexicon.text.fields : options.text
  const source = openDocuments(paths, {fields, format: options.format, separator: options.separator})
  try {
    const counts = await countDocuments(source, anchors, countingOptions(options), {
      onProgress: (stage, documents) => {
        const total = source.byteCount
        const share = total === undefined ? undefined : source.bytesRead() / total
        output.progress(`${STAGE_WORDS[stage]}: ${documents.toLocaleString('en')} documents`, share)
      }
    })
    return counts
  } finally {
    output.done()
    await source.close()
  }
}

/** Say which anchors and concepts were left out. */
export function noteSkipped({anchors, skipped}: Lexicon, output: Output): void {
  for (const {concept, reason} of skipped) {
    const isKept = anchors.some(anchor => anchor.concept === concept)
    output.note(`${isKept ? 'kept with fewer anchors' : 'left out'}: concept "${concept}": ${reason}`)
  }
}

function countSummary(counts: Counts, file: string): object {
  const {documentCount: documents, patternCount: patterns, lexicon} = counts
  const {anchors, words, skipped} = lexicon
  return {file, documents, latents: anchors.length, words: words.length, patterns, skippedAnchors: skipped}
}

export function describeCounts({documentCount, patternCount, lexicon}: Counts): string {
  const number = (value: number) => value.toLocaleString('en')
  return (
    `${number(documentCount)} documents, ${number(lexicon.anchors.length)} concepts, ` +
    `${number(lexicon.words.length)} words, ${number(patternCount)} anchor patterns`
  )
}
