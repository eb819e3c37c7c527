import {workerData} from 'node:worker_threads'
import {AdfaError} from '../../base/checks/index.ts'
import {answerTasks} from './threads.ts'

/** Tasks that show what threads do, for threads.test.ts. */
export const testTasks = {
  double: (value: number) => 2 * value,
  wait: (milliseconds: number) =>
    new Promise<number>(resolve => {
      setTimeout(resolve, milliseconds, milliseconds)
    }),
  data: (_: undefined): unknown => workerData,
  refuse(option: string): number {
    throw new AdfaError('bad-option', 'no', {details: {option}})
  },
  fail(text: string): number {
    throw new TypeError(text)
  },
  exit: (code: number): void => process.exit(code)
}

answerTasks(testTasks)
