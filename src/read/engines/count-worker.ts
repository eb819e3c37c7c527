import {buffersOf, createCountTasks} from './document-pass.ts'
import {answerTasks} from './threads.ts'

/** The thread that parses and counts documents. */
answerTasks(createCountTasks(), buffersOf)
