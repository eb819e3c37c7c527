import {throwIfCancelled} from '../../base/checks/index.ts'
import type {CountsHeader} from '../counts/index.ts'
import {FieldSurvey} from '../data/index.ts'
import type {DocumentBlock} from '../files/index.ts'
import type {CountingEngine, EngineControl, RowSource} from './counting-engine.ts'
import {dealBlocks} from './deal-blocks.ts'
import {sumAnswers} from './sum-answers.ts'
import type {BlockAnswer, CountsAnswer, WorkerJob} from './worker-messages.ts'
import type {CountWorkers} from './worker-pool.ts'

/** Documents that come in blocks, which may still be parsed, or in rows. */
export interface BlockSource extends RowSource {
  blocks?(signal?: AbortSignal): AsyncIterable<DocumentBlock>
}

/**
 * Counts documents on threads that parse and read them block by block. Surveys of blocks are added up in the order of the
 * blocks and counts are sums, so that nothing depends on the number of threads or on which was faster. Pairs of words are
 * learned from `rows` in this thread. Closing the engine leaves the threads, which are the caller's.
 */
export function workerEngine(documents: BlockSource, workers: CountWorkers): CountingEngine {
  const look = <T>(
    job: WorkerJob,
    {onProgress, signal}: EngineControl,
    take: (answer: BlockAnswer) => void,
    finish: (answers: readonly CountsAnswer[]) => T
  ): Promise<T> =>
    workers.run(async threads => {
      let seen = 0
      const used = await dealBlocks(blocksOf(documents, signal), threads, job, answer => {
        take(answer)
        seen += answer.documents
        if (answer.documents > 0) onProgress?.(job.stage, seen)
      })
      if (job.stage !== 'counting') return finish([])
      return finish(await Promise.all(used.map(thread => thread.ask({kind: 'finish'}))))
    }, signal)

  return {
    name: 'memory',
    rows: documents,
    surveyTags: (survey, control) =>
      look(
        {stage: 'tags'},
        control,
        answer => answer.kind === 'tags' && survey.addSurvey(answer.survey),
        () => {}
      ),
    surveyWords: (builder, control) =>
      look(
        {stage: 'vocabulary', anchors: builder.anchors, options: builder.options},
        control,
        answer => answer.kind === 'vocabulary' && builder.addSurvey(answer.survey),
        () => {}
      ),
    count: (header, control) =>
      look(
        {stage: 'counting', header, labels: control.labels && new Map(control.labels)},
        control,
        () => {},
        answers => {
          reportFindings(header, answers, control)
          return sumAnswers(header, answers)
        }
      ),
    close: async () => {}
  }
}

async function* blocksOf(documents: BlockSource, signal: AbortSignal | undefined): AsyncGenerator<DocumentBlock> {
  if (documents.blocks === undefined)
    for await (const rows of documents.batches(signal)) {
      throwIfCancelled(signal)
      yield {kind: 'rows', rows}
    }
  else
    for await (const block of documents.blocks(signal)) {
      throwIfCancelled(signal)
      yield block
    }
}

/** Tell what one thread would have noticed: fields that no document has, and labels that were looked up. */
function reportFindings(header: CountsHeader, answers: readonly CountsAnswer[], control: EngineControl): void {
  const unseen = new FieldSurvey(header.lexicon.text).unseen()
  const everywhere = unseen.filter(name => answers.every(answer => answer.unseen.includes(name)))
  if (everywhere.length > 0) control.onUnseenFields?.(everywhere)
  for (const {labelled} of answers) for (const key of labelled) control.labels?.get(key)
}
