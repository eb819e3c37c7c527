import {answerTasks} from './threads.ts'
import {buffersOf, createCountTasks} from './worker-tasks.ts'

/** The thread that parses and counts documents. */
answerTasks(createCountTasks(), buffersOf)
