import type {Counts, CountsHeader} from '../counts/index.ts'
import type {Labels, LexiconReader, Row, TagSurvey, WordSurvey} from '../data/index.ts'

export interface RowSource {
  batches(signal?: AbortSignal): AsyncIterable<readonly Row[]>
}

export type EngineName = 'memory' | 'duckdb' | 'clickhouse' | 'groups'

export type CountingStage = 'tags' | 'vocabulary' | 'counting'

export type KnownLabels = Labels & Iterable<readonly [string, ReadonlyMap<string, boolean>]>

export interface SampleOptions {
  /** About how many documents; labelled ones come on top. */
  readonly size: number
  readonly seed: number
}

export interface EngineControl {
  /**
   * Labels of documents by their keys, instead of the tags and labels in the rows: a Map or the like. `get` is called at
   * least once for every counted document that has labels here.
   */
  readonly labels?: KnownLabels
  /** How the documents will be counted, where they will be: the pass that learns the words may then keep what it reads. */
  readonly counting?: Pick<CountsHeader, 'labelShare' | 'seed'>
  /** Called regularly with the number of documents that this pass has seen. */
  readonly onProgress?: (stage: CountingStage, documents: number) => void
  readonly onUnseenFields?: (names: readonly string[]) => void
  /**
   * Draw a sample while counting, for learning that needs more than counts: without it, another pass would read all
   * documents again. Only engines with `rows` can; `onRows` is called once, with the documents in their order.
   */
  readonly sample?: SampleOptions & {readonly onRows: (rows: readonly Row[]) => void}
  readonly signal?: AbortSignal
}

/**
 * Counts what a survey of words kept, by the lexicon that was learned from it; undefined where the documents must be read
 * again. It goes with the labels and the sample of the survey.
 */
export type CountKept = (header: CountsHeader) => Promise<Counts | undefined>

/**
 * Documents in some place, and the passes over them that counting needs. Every engine gives the same counts, byte for
 * byte: `engine.contract.ts` tests that. What is learned from the passes is up to `countWith`.
 */
export interface CountingEngine {
  readonly name: EngineName
  /** The documents one by one, for what must be learned from text; undefined where only counts are available. */
  readonly rows: RowSource | undefined
  surveyTags(survey: TagSurvey, control: EngineControl): Promise<void>
  /** In how many documents each word occurs and each anchor fires, and how to count what was kept. */
  surveyWords(
    by: LexiconReader,
    control: EngineControl
  ): Promise<{readonly survey: WordSurvey; readonly countKept: CountKept}>
  count(header: CountsHeader, control: EngineControl): Promise<Counts>
  /** Release everything: threads, connections, temporary files. */
  close(): Promise<void>
}
