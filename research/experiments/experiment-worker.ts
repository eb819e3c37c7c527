import {workerData} from 'node:worker_threads'
import {answerTasks} from '../../src/read/engines/index.ts'
import {experiments} from './experiments.ts'
import {type PackedMaterial, unpackMaterial} from './material.ts'
import type {ExperimentTasks} from './run-experiment.ts'

/** The thread that measures cells: one at a time, as they are asked for. */
const material = unpackMaterial(workerData as PackedMaterial)

answerTasks<ExperimentTasks>({measure: ({experiment, cell}) => experiments[experiment].measure(material, cell)})
