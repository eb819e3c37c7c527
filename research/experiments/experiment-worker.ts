import {workerData} from 'node:worker_threads'
import {answerTasks} from '../../src/read/engines/index.ts'
import {experiments} from './experiments.ts'
import type {Material} from './material.ts'
import type {ExperimentTasks} from './runner.ts'

/** The thread that measures cells: one at a time, as they are asked for. */
const material = workerData as Material

answerTasks<ExperimentTasks>({measure: ({experiment, cell}) => experiments[experiment].measure(material, cell)})
