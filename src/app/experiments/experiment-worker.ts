import {parentPort, workerData} from 'node:worker_threads'
import {AdfaError} from '../../base/checks/index.ts'
import {experiments} from './experiments.ts'
import {type PackedMaterial, unpackMaterial} from './packed-material.ts'
import type {WorkerAnswer, WorkerTask} from './worker-pool.ts'

/** The thread that measures cells: one at a time, as they are asked for. */
const material = unpackMaterial(workerData as PackedMaterial)

async function measure({experiment, cell}: WorkerTask): Promise<WorkerAnswer> {
  try {
    return {kind: 'result', result: await experiments[experiment].measure(material, cell)}
  } catch (error) {
    if (error instanceof AdfaError) return {kind: 'refused', code: error.code, message: error.message}
    return {kind: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error)}
  }
}

parentPort?.on('message', async (task: WorkerTask) => parentPort?.postMessage(await measure(task)))
