import {workerData} from 'node:worker_threads'
import {createInference} from '../../learn/inference/index.ts'
import {answerTasks} from '../../read/engines/index.ts'
import type {InferenceTasks, InferenceWork} from './predict.ts'

/** The thread that infers the concepts of documents, one after another. */
const {model, use} = workerData as InferenceWork
const inference = createInference(model, use)

answerTasks<InferenceTasks>({posterior: ({evidence, known}) => inference.posterior(evidence, known)})
