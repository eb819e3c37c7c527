import {createInterface} from 'node:readline'
import {AdfaError} from '../../base/checks/index.ts'
import {shown} from './output.ts'

export interface Asker {
  /** Shows the question and waits for a line; the answer has no blanks around it. Lines typed ahead answer later questions. */
  ask(question: string): Promise<string>
  close(): void
}

/** Questions go to standard error, so that standard output keeps the result. Undefined where nobody could answer. */
export function openAsker({yes, json}: {readonly yes?: boolean; readonly json?: boolean}): Asker | undefined {
  const {stdin, stderr} = process
  if (yes || json || !stdin.isTTY || !stderr.isTTY) return undefined
  const lines = createInterface({input: stdin, output: stderr})
  const answers = lines[Symbol.asyncIterator]()
  // Ctrl-C ends the program as everywhere; readline would swallow it.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  return {
    ask: async question => {
      lines.setPrompt(`${shown(question)} `)
      lines.prompt()
      const {value, done} = await answers.next()
      if (done) throw new AdfaError('cancelled', 'no answer, so nothing was written')
      return value.trim()
    },
    close: () => lines.close()
  }
}
