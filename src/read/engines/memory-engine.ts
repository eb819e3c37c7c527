import {throwIfCancelled} from '../../base/checks/index.ts'
import type {Counts, CountsHeader} from '../counts/index.ts'
import type {Evidence, Row} from '../data/index.ts'
import type {CountingEngine, CountingStage, EngineControl, RowSource} from './counting-engine.ts'
import {RowCounter} from './row-counter.ts'

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

/** Count documents one by one, each as `limit` leaves it. */
export async function countRows(
  rows: RowSource,
  header: CountsHeader,
  control: EngineControl,
  limit?: (evidence: Evidence, key: string) => Evidence
): Promise<Counts> {
  const counter = new RowCounter(header, control.labels, limit)
  await eachBatch(rows, 'counting', control, batch => counter.add(batch))
  const unseen = counter.unseen()
  if (unseen.length > 0) control.onUnseenFields?.(unseen)
  return counter.finish()
}

/** Visit all documents once, a batch at a time. */
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
