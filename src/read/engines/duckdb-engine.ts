import {badOption, optional, whole} from '../../base/checks/index.ts'
import type {RowFields} from '../data/index.ts'
import {type DocumentOptions, fileChanged, openDocuments} from '../files/index.ts'
import type {CountingEngine, EngineControl} from './counting-engine.ts'
import {type DuckDbFiles, fileStamps, findFiles, makeDocuments} from './duckdb-documents.ts'
import {DuckDbPasses} from './duckdb-passes.ts'
import {DuckDbSession, UnreadableDocuments} from './duckdb-session.ts'
import {documentsEngine} from './worker-engine.ts'

/** How to read files, and what DuckDB may use. */
export interface DuckDbOptions
  extends Pick<DocumentOptions, 'format' | 'keptBytes' | 'required' | 'onColumns' | 'encoding' | 'worksheet'> {
  readonly fields: RowFields
  /** How much memory DuckDB may use; the rest goes to a temporary folder. Default `2GB`. */
  readonly memory?: string | undefined
  /** The number of threads; by default that of cores. */
  readonly threads?: number | undefined
  /** How much disk space the temporary folder may use, such as `50GB`; by default most of what is free. */
  readonly disk?: string | undefined
  /** Called with a note when documents are not counted in SQL. */
  readonly onNote?: ((note: string) => void) | undefined
}

/**
 * Counts files with DuckDB, also larger than memory; patterns such as `notes-*.parquet` stand for all files that match.
 * Ready-made words (`features`, with `id` and `tags`, in Parquet or plain JSON Lines) are counted in SQL, and no document
 * reaches JavaScript. Everything else is read one document at a time, as by the memory engine and its threads, with the same
 * counts.
 */
export async function openDuckDb(paths: readonly string[], options: DuckDbOptions): Promise<CountingEngine> {
  const {fields, format, keptBytes, required, onColumns, onNote, encoding, worksheet} = options
  const session = await DuckDbSession.open(checkSettings(options))
  try {
    const files = {paths: await findFiles(session, paths), fields, format, required, encoding}
    const documents = openDocuments(files.paths, {
      ...fields,
      format,
      keptBytes,
      required,
      onColumns,
      onNote,
      encoding,
      worksheet
    })
    const oneByOne = documentsEngine(documents, options.threads === 1 ? 0 : options.threads)
    const inSql = new SqlPart(session, files, oneByOne, options.onNote)
    return {
      name: 'duckdb',
      rows: documents,
      surveyTags: (survey, control) => inSql.pass(control, passes => passes.surveyTags(survey, control)),
      surveyWords: (builder, control) => inSql.pass(control, passes => passes.surveyWords(builder, control)),
      count(header, control) {
        // Labels, and shares and samples drawn by id, need every document.
        const isShare = header.labelShare > 0 && header.labelShare < 1
        if (isShare || control.labels !== undefined || control.sample !== undefined)
          return oneByOne.count(header, control)
        return inSql.pass(control, passes => passes.count(header, control))
      },
      async close() {
        await oneByOne.close()
        await documents.close()
        await session.close()
      }
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

const ONE_BY_ONE =
  'DuckDB counts ready-made words in Parquet or plain JSON Lines; these documents are read one at a time by adfa itself, with the same counts, and `memory` does not bound that'

type Passes = Pick<CountingEngine, 'surveyTags' | 'surveyWords' | 'count'>

/** Knows whether SQL can count the documents, which the first pass finds out. */
class SqlPart {
  readonly #session: DuckDbSession
  readonly #files: DuckDbFiles
  readonly #oneByOne: Passes
  readonly #onNote: DuckDbOptions['onNote']
  #passes: DuckDbPasses | 'unknown' | 'impossible' = 'unknown'
  #stamps: readonly string[] = []

  constructor(session: DuckDbSession, files: DuckDbFiles, oneByOne: Passes, onNote: DuckDbOptions['onNote']) {
    this.#session = session
    this.#files = files
    this.#oneByOne = oneByOne
    this.#onNote = onNote
  }

  /** Make a pass in SQL, or one by one where SQL is not enough or DuckDB cannot read a file. */
  async pass<T>(control: EngineControl, run: (passes: Passes) => Promise<T>): Promise<T> {
    if (this.#passes === 'unknown') {
      this.#passes = await this.#prepare(control)
      if (this.#passes === 'impossible') this.#onNote?.(ONE_BY_ONE)
    }
    if (this.#passes === 'impossible') return run(this.#oneByOne)
    try {
      const found = await run(this.#passes)
      await this.#checkUnchanged()
      return found
    } catch (error) {
      if (!(error instanceof UnreadableDocuments)) throw error
      this.#passes = 'impossible'
      this.#onNote?.(ONE_BY_ONE)
      return run(this.#oneByOne)
    }
  }

  async #prepare({signal}: EngineControl): Promise<DuckDbPasses | 'impossible'> {
    this.#stamps = await fileStamps(this.#files.paths)
    const documentCount = await makeDocuments(this.#session, this.#files, {signal})
    return documentCount === undefined ? 'impossible' : new DuckDbPasses(this.#session, documentCount)
  }

  /** The files are read several times. */
  async #checkUnchanged(): Promise<void> {
    const stamps = await fileStamps(this.#files.paths)
    const changed = this.#files.paths.find((_, at) => stamps[at] !== this.#stamps[at])
    if (changed !== undefined) throw fileChanged(changed)
  }
}

const SIZE = /^\d+(\.\d+)?\s*([KMGT]i?)?B$/i

function checkSettings({memory = '2GB', threads, disk}: DuckDbOptions) {
  for (const [name, size] of Object.entries({memory, disk}))
    if (size !== undefined && !SIZE.test(size)) throw badOption('DuckDB', name, 'a size such as 2GB or 500MB', size)
  const [holds, rule] = optional(whole(1))
  if (!holds(threads)) throw badOption('DuckDB', 'threads', rule, threads)
  return {memory, threads, disk}
}
