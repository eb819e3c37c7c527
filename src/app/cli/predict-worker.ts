import {workerData} from 'node:worker_threads'
import {answerTasks} from '../../read/engines/index.ts'
import type {BlockTasks} from './each-block.ts'
import {createBlockPredictor, type PredictedBlock, type PredictionJob} from './predict-blocks.ts'

/** The thread that predicts documents, block by block. */
const predict = createBlockPredictor(workerData as PredictionJob)

answerTasks<BlockTasks<PredictedBlock>>({block: block => predict(block)}, ({bytes: {buffer}}) =>
  buffer instanceof ArrayBuffer ? [buffer] : []
)
