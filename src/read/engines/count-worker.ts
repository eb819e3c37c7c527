import {parentPort, type TransferListItem} from 'node:worker_threads'
import {type WorkerRequest, WorkerTasks} from './worker-tasks.ts'

/** The thread that parses and counts documents: one request at a time, as they come. */
const tasks = new WorkerTasks()

parentPort?.on('message', (request: WorkerRequest) => {
  const answer = tasks.answer(request)
  const buffers: TransferListItem[] = []
  // Counts may be large, and the thread has no more use for them.
  if (answer.kind === 'counts')
    for (const value of Object.values(answer.counts))
      if (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer) buffers.push(value.buffer)
  parentPort?.postMessage(answer, buffers)
})
