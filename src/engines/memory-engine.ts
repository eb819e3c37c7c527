import {Counter} from '../counts/index.ts'
import {createEncoder, FieldSurvey, type Row, rowKey} from '../data/index.ts'
import {throwIfCancelled} from '../numeric/index.ts'
import type {CountingEngine, CountingStage, EngineControl, RowSource} from './counting-engine.ts'

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
    async count(header, control) {
      const encoder = createEncoder(header.lexicon, control.labels)
      const counter = new Counter(header)
      const survey = new FieldSurvey(header.lexicon.text)
      await eachBatch(rows, 'counting', control, batch => {
        for (const row of batch) {
          survey.add(row)
          if (encoder.accepts(row)) counter.add(encoder.encode(row), rowKey(row), encoder.truth(row))
        }
      })
      const unseen = survey.unseen()
      if (unseen.length > 0) control.onUnseenFields?.(unseen)
      return counter.finish()
    },
    close: async () => {}
  }
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
