import {workerData} from 'node:worker_threads'
import {answerTasks} from '../../read/engines/index.ts'
import type {PredictedBlock, PredictionJob} from '../pipeline/index.ts'
import type {BlockTasks} from './each-block.ts'
import {beginPredicting} from './predict-files.ts'

/** The thread that predicts documents, block by block. */
const predict = beginPredicting(workerData as PredictionJob)

answerTasks<BlockTasks<PredictedBlock>>({block: block => predict(block)}, ({pieces}) =>
  pieces.flatMap(({buffer}) => (buffer instanceof ArrayBuffer ? [buffer] : []))
)
