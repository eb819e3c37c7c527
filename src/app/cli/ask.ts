import {isCancel, text} from '@clack/prompts'
import {AdfaError} from '../../base/checks/index.ts'

/** Whether somebody could answer. Questions go to standard error, so that standard output keeps the result. */
export function canAsk({yes, json}: {readonly yes?: boolean; readonly json?: boolean}): boolean {
  return !yes && !json && process.stdin.isTTY && process.stderr.isTTY
}

/** The answer to a prompt; Ctrl-C and Escape end the command. */
export function answered<T>(answer: T, saved = 'no answer, so nothing was written'): Exclude<T, symbol> {
  if (isCancel(answer)) throw new AdfaError('cancelled', saved)
  return answer as Exclude<T, symbol>
}

/** Asks for a text until `check` does not refuse it. */
export async function askText(
  message: string,
  check: (answer: string) => void = () => {},
  initialValue?: string
): Promise<string> {
  const validate = (answer = '') => {
    try {
      check(answer)
      return undefined
    } catch (error) {
      if (error instanceof AdfaError) return error.message
      throw error
    }
  }
  const given = await text({
    message,
    validate,
    output: process.stderr,
    ...(initialValue !== undefined && {initialValue})
  })
  return answered(given) ?? ''
}
