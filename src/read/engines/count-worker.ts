import {answerTasks} from './threads.ts'
import {createCountTasks} from './worker-tasks.ts'

/** The thread that parses and counts documents. It keeps nothing of the counts that it hands over. */
answerTasks(createCountTasks(), result =>
  result !== undefined && 'counts' in result
    ? Object.values(result.counts).flatMap(value =>
        ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : []
      )
    : []
)
