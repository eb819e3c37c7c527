import {workerData} from 'node:worker_threads'
import {answerTasks} from '../../read/engines/index.ts'
import {createBlockPredictor, type PredictionJob} from './predict-blocks.ts'
import type {PredictionTasks} from './predict-files.ts'

/** The thread that predicts documents, block by block. */
const predict = createBlockPredictor(workerData as PredictionJob)

answerTasks<PredictionTasks>({block: block => predict(block)}, ({bytes: {buffer}}) =>
  buffer instanceof ArrayBuffer ? [buffer] : []
)
