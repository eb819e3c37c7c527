import {buffersOf, createCountTasks} from './document-pass.ts'
import {answerTasks} from './threads.ts'

answerTasks(createCountTasks(), buffersOf)
