import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {type CompactCounts, Counter, type CountsHeader, type RunSpace} from '../counts/index.ts'
import {createEncoder, type Encoder, type Evidence, FieldSurvey, type Labels, type Row, rowKey} from '../data/index.ts'
import type {CountingEngine, CountingStage, EngineControl, RowSource} from './counting-engine.ts'
import {SampleDrawer, type SampledRow, type SampleOptions} from './document-sample.ts'
import {keepingStore, ownSpace} from './run-files.ts'

/** Counts documents in this thread, a batch at a time; memory does not grow with their number. */
export function memoryEngine(rows: RowSource): CountingEngine {
  return {
    name: 'memory',
    rows,
    surveyTags: (survey, control) =>
      eachBatch(rows, 'tags', control, batch => {
        for (const row of batch) survey.add(row)
      }),
    surveyWords: (builder, control) =>
      eachBatch(rows, 'vocabulary', control, batch => {
        for (const row of batch) builder.add(row)
        builder.endBatch()
      }),
    count: (header, control) => countRows(rows, header, control),
    close: async () => {}
  }
}

/** What a document counts with, by its key, instead of all its evidence. */
type EvidenceLimit = (evidence: Evidence, key: string) => Evidence

async function countRows(
  rows: RowSource,
  header: CountsHeader,
  control: EngineControl,
  limit?: EvidenceLimit
): Promise<CompactCounts> {
  const {labels, sample} = control
  const space = ownSpace()
  const counter = new RowCounter(header, {labels, limit, sample, space})
  return keepingStore(space.store, async () => {
    await eachBatch(rows, 'counting', control, batch => counter.add(batch))
    const unseen = counter.unseen()
    if (unseen.length > 0) control.onUnseenFields?.(unseen)
    if (sample !== undefined) sample.onRows(counter.sampled().map(({row}) => row))
    return counter.finish()
  })
}

export async function eachBatch(
  rows: RowSource,
  stage: CountingStage,
  {onProgress, signal}: EngineControl,
  visit: (batch: readonly Row[]) => void
): Promise<void> {
  let documents = 0
  for await (const batch of rows.batches(signal)) {
    throwIfCancelled(signal)
    visit(batch)
    documents += batch.length
    onProgress?.(stage, documents)
  }
}

interface RowCounterOptions {
  readonly labels?: Labels | undefined
  readonly limit?: EvidenceLimit | undefined
  readonly sample?: SampleOptions | undefined
  readonly space: RunSpace
}

/** Counts rows by a lexicon, draws a sample of them, and notes which fields they have. */
export class RowCounter {
  readonly #encoder: Encoder
  readonly #counter: Counter
  readonly #survey: FieldSurvey
  readonly #limit: EvidenceLimit
  readonly #drawer: SampleDrawer | undefined

  constructor(header: CountsHeader, {labels, limit = evidence => evidence, sample, space}: RowCounterOptions) {
    this.#encoder = createEncoder(header.lexicon, labels)
    this.#counter = new Counter(header, space)
    this.#survey = new FieldSurvey(header.lexicon.text)
    this.#limit = limit
    this.#drawer = sample && new SampleDrawer(header, labels, sample)
  }

  /** Rows of one block; its number matters where threads draw parts of a sample. */
  add(rows: readonly Row[], block = 0): void {
    for (const row of rows) {
      this.#survey.add(row)
      if (!this.#encoder.accepts(row)) continue
      const key = rowKey(row)
      this.#counter.add(this.#limit(this.#encoder.encode(row), key), key, this.#encoder.labels(row))
      this.#drawer?.add(row, key, block)
    }
  }

  sampled(): SampledRow[] {
    return this.#drawer?.finish() ?? []
  }

  /** The fields asked for that no row has. */
  unseen(): string[] {
    return this.#survey.unseen()
  }

  finish(): CompactCounts {
    return this.#counter.finishCompact()
  }

  finishRuns(): ReturnType<Counter['finishRuns']> {
    return this.#counter.finishRuns()
  }
}

/**
 * The engine with every document counted as `limit` leaves it. Documents are then counted one by one in this thread, so
 * an engine that cannot read them is refused.
 */
export function limitEngine(engine: CountingEngine, limit: EvidenceLimit): CountingEngine {
  const {name, rows} = engine
  if (rows === undefined)
    throw new AdfaError(
      'bad-option',
      `privacy limits what each document counts with, and the engine ${name} cannot count documents one by one; use the \`engine\` memory`
    )
  return {...engine, count: (header, control) => countRows(rows, header, control, limit)}
}
