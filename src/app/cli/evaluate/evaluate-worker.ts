import {workerData} from 'node:worker_threads'
import {answerTasks} from '../../../read/engines/index.ts'
import type {BlockTasks} from '../each-block.ts'
import {beginTagged, type TaggedBlock, type TaggedJob} from './blocks.ts'

/** The thread that asks predictors about tagged documents, block by block. */
const work = beginTagged(workerData as TaggedJob)

answerTasks<BlockTasks<TaggedBlock>>({block: block => work(block)})
