import {statSync} from 'node:fs'
import type {Command} from 'commander'
import {counted} from '../../base/text/index.ts'
import {SAMPLE_SIZE} from '../../learn/learn.ts'
import type {Model} from '../../learn/model/index.ts'
import type {NoiseMethod} from '../../learn/noise/index.ts'
import {trainingDocuments} from '../../learn/robust/index.ts'
import {type Counts, countsFromBytes, isCountsFile, oneShard, requireComplete} from '../../read/counts/index.ts'
import {
  type Corpus,
  encodeCorpus,
  keyColumns,
  type Lexicon,
  NEGATED_PREFIX,
  type Row,
  StrayTags,
  textOptionsOf
} from '../../read/data/index.ts'
import {type CountingStage, countWith, type KnownLabels} from '../../read/engines/index.ts'
import {
  type DocumentOptions,
  type DocumentShard,
  type DocumentSource,
  readBinaryFile,
  readFileHead
} from '../../read/files/index.ts'
import {isReleaseFile, releaseFromBytes, releaseToCounts} from '../../read/pooling/index.ts'
import {
  type CommonOptions,
  countingOptions,
  type FormatOptions,
  fieldsTyped,
  fileOptions,
  inputOptions,
  type ReadingOptions,
  refuseReadingOptions,
  typedOptions,
  usageError,
  type WorkOptions
} from './common-options.ts'
import {type EngineOptions, openEngine} from './count/open-engine.ts'
import type {Output} from './output.ts'
import {noteVotes, readAnchors, readLabels, resolveAnchors, withRates} from './read-anchors.ts'
import {cancellable, createPause} from './signals.ts'
import {fieldsWithWords, refuseUnseen, unseenText} from './unseen-fields.ts'

export type InputOptions = CommonOptions &
  ReadingOptions &
  WorkOptions & {
    readonly noise?: NoiseMethod
    /** The engine that counts the documents; by default this program. */
    readonly counting?: EngineOptions
    /** The part of the documents to count. */
    readonly shard?: DocumentShard
    /** Draw a sample of the documents while counting them. */
    readonly draws?: boolean
  }

export interface Input {
  readonly counts: Counts
  /** The documents counted; undefined for a counts file, which does not hold them. */
  readonly documents: CountedDocuments | undefined
}

interface CountedDocuments {
  /** The files, open to be read again. */
  readonly source: DocumentSource
  /** The sample; empty unless `draws` is set. */
  readonly sample: readonly Row[]
  /** The labels of --labels, which replace the tags of the documents. */
  readonly labels: KnownLabels | undefined
}

export const STAGE_WORDS: Readonly<Record<CountingStage, string>> = {
  tags: 'reading tags',
  vocabulary: 'learning the vocabulary',
  counting: 'counting'
}

/** A command that reads documents: its arguments, and where its output goes. */
export interface ReadingTask {
  readonly paths: readonly string[]
  readonly options: InputOptions
  readonly command: Command
  readonly output: Output
}

/** Reads documents or one counts file and passes them to `use`; until that returns, the documents can be read again. */
export async function withInput<T>(task: ReadingTask, use: (input: Input) => Promise<T>): Promise<T> {
  return (await isCounts(task.paths[0]))
    ? use({counts: await readCountsFile(task), documents: undefined})
    : withDocuments(task, use)
}

/** Reads documents or one counts file and closes them: a copy of standard input is gone before the work begins. */
export function readInput(task: ReadingTask): Promise<Input> {
  return withInput(task, async input => input)
}

async function isCounts(path: string): Promise<boolean> {
  if (/\.counts(\.gz)?$/.test(path)) return true
  if (path === '-' || statSync(path, {throwIfNoEntry: false})?.isDirectory()) return false
  const head = await readFileHead(path)
  return isCountsFile(head) || isReleaseFile(head)
}

/** Options that counts do not settle. */
const KEPT = ['anchors', 'seed', 'json', 'quiet', 'skipBadAnchors']

/** Reads one counts file; --anchors may replace its rates. */
async function readCountsFile({paths, options, command}: ReadingTask): Promise<Counts> {
  if (paths.length > 1)
    throw usageError(`${command.name()} takes one counts file; add up several with adfa merge first`)
  const others = inputOptions.map(({name}) => name).filter(name => !KEPT.includes(name))
  refuseReadingOptions(command, others, 'the documents are counted already')
  const counts = await readCounts(paths[0])
  return options.anchors === undefined ? counts : withRates(counts, await readAnchors(options.anchors), options.anchors)
}

/** Counts document files, with progress, and passes them to `use`; until that returns, the documents can be read again. */
export async function withDocuments<T>(task: ReadingTask, use: (input: Input) => Promise<T>): Promise<T> {
  const {paths, options, command, output} = task
  const {shard, counting: {engine: database = 'memory'} = {}} = options
  const {source: anchors, like} = await resolveAnchors(options)
  const settled = anchors.kind === 'lexicon' ? anchors.lexicon : undefined
  if (settled !== undefined) refuseReadingOptions(command, [], '--like settles how documents are read')
  const fields = settled === undefined ? textOptionsOf(options) : {...settled.reading, ...keyColumns(options)}
  const named = settled === undefined ? fieldsTyped(options, command) : []
  const labels = options.labels === undefined ? undefined : await readLabels(options.labels, options.noise)
  const columns: string[] = []
  const onColumns = (names: readonly string[]) => void columns.push(...names)
  const opened = await openEngine(paths, fields, {...options, named, onColumns, typed: command.args}, output)
  const {engine, documents} = opened
  const onProgress = progressOf(documents, output)
  let sample: readonly Row[] = []
  let unseen: readonly string[] = []
  const control: Parameters<typeof countWith>[3] = {
    onProgress: (stage, count) => onProgress(STAGE_WORDS[stage], count),
    onUnseenFields: names => {
      unseen = names
    },
    ...(labels && {labels}),
    ...(options.draws &&
      engine.rows && {
        sample: {
          size: SAMPLE_SIZE,
          seed: options.seed,
          onRows: rows => {
            sample = rows
          }
        }
      })
  }
  // The labelled share and seed of --like, unless they are given on the command line.
  const typed = typedOptions(command, ['labelShare', 'seed'])
  const inherited = Object.fromEntries(Object.entries(like ?? {}).filter(([name]) => !typed.includes(name)))
  const rules = {...countingOptions(options), ...inherited, ...(labels && {labelShare: 1})}
  try {
    const count = (signal?: AbortSignal) => countWith(engine, anchors, rules, {...control, ...(signal && {signal})})
    // A database has a query to stop; threads of this process end with it.
    const made = await (documents === undefined ? cancellable(count) : count()).finally(() => engine.close())
    // A shard may lack what another one has.
    if (shard === undefined) {
      const {id, tags} = keyColumns(options)
      const typed = database === 'memory' ? [...named, id, tags] : []
      await refuseUnseen({names: unseen, typed, columns, paths})
      // One of the two default text fields is enough.
      const isAsked = (name: string) => named.includes(name) || !options.text.includes(name)
      const noted = settled === undefined ? unseen.filter(isAsked) : fieldsWithWords(unseen, settled)
      if (noted.length > 0) output.note(unseenText(noted))
    }
    if (settled === undefined) noteVocabulary(made.lexicon, output)
    if (settled === undefined) noteVotes(made, output)
    const tags = new StrayTags(made.lexicon)
    if (made.labelShare > 0 && labels === undefined) for (const row of sample) tags.add(row)
    for (const note of tags.notes()) output.note(note)
    const job = [documents?.job, labels?.fingerprint].filter(part => part !== undefined).join(', ')
    const counts = shard === undefined ? made : {...made, shards: oneShard(shard.shard, shard.of, job)}
    labels?.check(counts, output, shard !== undefined)
    return await use({counts, documents: documents && {source: documents, sample, labels}})
  } finally {
    output.done()
    await documents?.close()
  }
}

/**
 * How documents for a model are read: as those it was learned from. Another --separator is a property of a new file, so it is
 * allowed, with a note.
 */
export function readingOf({lexicon}: Model, options: FormatOptions, output: Output): DocumentOptions {
  const {separator} = options
  const reading = {...lexicon.reading, ...keyColumns(options), ...fileOptions(options, output)}
  if (separator === undefined || separator === reading.separator) return reading
  output.note(
    `--separator: the model was learned with ${JSON.stringify(reading.separator)} between list items; these documents are read with ${JSON.stringify(separator)}`
  )
  return {...reading, separator}
}

type OnProgress = (stage: string, count: number) => void

export function progressOf(documents: DocumentSource | undefined, output: Output): OnProgress {
  return (stage, count) => {
    const total = documents?.byteCount
    const share = documents === undefined || total === undefined ? undefined : documents.bytesRead() / total
    output.progress(`${stage}: ${counted(count, 'document')}`, share, count)
  }
}

/** Visits all documents, with progress, and closes them; returns their number. Signals get through between documents. */
export async function eachDocument(
  documents: DocumentSource,
  stage: string,
  output: Output,
  visit: (row: Row) => void | Promise<void>
): Promise<number> {
  const onProgress = progressOf(documents, output)
  const pause = createPause()
  let count = 0
  try {
    for await (const batch of documents.batches()) {
      for (const row of batch) {
        await visit(row)
        await pause()
      }
      count += batch.length
      onProgress(stage, count)
    }
    return count
  } finally {
    output.done()
    await documents.close()
  }
}

/** Counts to learn from: a complete counts file, or counts reconstructed from released tables. */
export async function readCounts(path: string): Promise<Counts> {
  const bytes = await readBinaryFile(path)
  if (isReleaseFile(bytes)) return releaseToCounts(releaseFromBytes(bytes, path))
  const counts = countsFromBytes(bytes, path)
  requireComplete(counts, path)
  return counts
}

/** The sample of documents for rates and word weights; undefined if there are only counts. */
export function sampleDocuments({counts, documents}: Input): Corpus | undefined {
  if (documents === undefined) return undefined
  const {sample, labels} = documents
  return trainingDocuments(counts, encodeCorpus(sample, counts.lexicon, labels).documents)
}

/** Notes when no word of the vocabulary is negated, although negation is read. */
function noteVocabulary({reading, words}: Lexicon, output: Output): void {
  const isNegated = (word: string) => reading.text.some(field => word.startsWith(`${field}:${NEGATED_PREFIX}`))
  if (reading.negation && words.length > 0 && !words.some(isNegated))
    output.note('no word of the vocabulary is negated; negation is read in English, German, French and Spanish')
}

export function noteSkipped({anchors, skipped}: Lexicon, output: Output): void {
  for (const {concept, reason} of skipped) {
    const isKept = anchors.some(anchor => anchor.concept === concept)
    output.note(`${isKept ? 'kept with fewer members' : 'left out'}: concept "${concept}": ${reason}`)
  }
}

export function describeCounts({documentCount, patternCount, lexicon}: Counts): string {
  return [
    counted(documentCount, 'document'),
    counted(lexicon.anchors.length, 'concept'),
    counted(lexicon.words.length, 'word'),
    counted(patternCount, 'anchor pattern')
  ].join(', ')
}
