import {workerData} from 'node:worker_threads'
import type {Counts} from '../../../read/counts/index.ts'
import {answerTasks} from '../../../read/engines/index.ts'
import {learnRanking} from '../../../use/labelling/index.ts'
import type {RankingTasks} from './dialogue.ts'

/** The thread that learns from the labels given so far, while the user goes on. */
answerTasks<RankingTasks>({learn: rates => learnRanking(workerData as Counts, rates)})
