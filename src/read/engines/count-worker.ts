import {answerTasks} from './threads.ts'
import {createCountTasks} from './worker-tasks.ts'

/** The thread that parses and counts documents. Runs that it hands over are in shared memory or in files. */
answerTasks(createCountTasks())
