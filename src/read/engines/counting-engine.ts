import type {Counts, CountsHeader} from '../counts/index.ts'
import type {Labels, LexiconBuilder, Row, TagSurvey} from '../data/index.ts'
import type {SampleOptions} from './document-sample.ts'

/** Documents that can be read from the start any number of times. */
export interface RowSource {
  batches(signal?: AbortSignal): AsyncIterable<readonly Row[]>
}

export type EngineName = 'memory' | 'duckdb' | 'clickhouse' | 'groups'

export type CountingStage = 'tags' | 'bigrams' | 'vocabulary' | 'counting'

/** Labels that can also be handed over as a whole. */
export type KnownLabels = Labels & Iterable<readonly [string, ReadonlyMap<string, boolean>]>

/** What an engine is told beside its work. */
export interface EngineControl {
  /**
   * What is known of the concepts of each document, by its key, instead of the tags and labels in the rows: a Map, or the like.
   * Every document that is found there is asked for with `get` at least once.
   */
  readonly labels?: KnownLabels
  /** Called now and then with the number of documents that this look has seen. */
  readonly onProgress?: (stage: CountingStage, documents: number) => void
  /** Called with the fields asked for that no document has, if there are any. */
  readonly onUnseenFields?: (names: readonly string[]) => void
  /**
   * Draw a sample while counting, for learning that needs more than counts: without it, another pass would read all
   * documents again. Only engines with `rows` can; `onRows` is called once, with the documents in their order.
   */
  readonly sample?: SampleOptions & {readonly onRows: (rows: readonly Row[]) => void}
  readonly signal?: AbortSignal
}

/**
 * Documents that lie somewhere, and the looks at them that counting takes. Every engine gives the same counts, byte for
 * byte: `engine.contract.ts` holds them to it. What is learned from the looks is not the engine's business (`countWith`).
 */
export interface CountingEngine {
  readonly name: EngineName
  /** The documents one by one, for what must be learned from text; undefined where only counts can be had. */
  readonly rows: RowSource | undefined
  /** Add how many documents have each tag. */
  surveyTags(survey: TagSurvey, control: EngineControl): Promise<void>
  /** Add in how many documents each word occurs and each anchor fires. */
  surveyWords(builder: LexiconBuilder, control: EngineControl): Promise<void>
  /** Group the documents by anchor pattern and count. */
  count(header: CountsHeader, control: EngineControl): Promise<Counts>
  /** Let go of everything: threads, connections, temporary files. */
  close(): Promise<void>
}
