import {createInterface} from 'node:readline/promises'
import {AdfaError} from '../../../base/checks/index.ts'
import {shown} from '../output.ts'

export interface Asker {
  /** Shows the question and waits for a line; the answer has no blanks around it. */
  ask(question: string): Promise<string>
  close(): void
}

/** Questions go to standard error, so that standard output keeps the result. Undefined where nobody could answer. */
export function openAsker({yes, json}: {readonly yes?: true; readonly json?: true}): Asker | undefined {
  const {stdin, stderr} = process
  if (yes || json || !stdin.isTTY || !stderr.isTTY) return undefined
  const lines = createInterface({input: stdin, output: stderr})
  const closed = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new AdfaError('cancelled', 'no answer, so nothing was written')))
  })
  closed.catch(() => {})
  // Ctrl-C ends the program as everywhere; readline would swallow it.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  return {
    ask: async question => (await Promise.race([lines.question(`${shown(question)} `), closed])).trim(),
    close: () => lines.close()
  }
}
