/** What a Node program that runs under {@link measureCommand} says of itself when it ends. */
export interface CommandUse {
  /** Kilobytes. */
  readonly peak: number
  /** Microseconds of all threads together. */
  readonly processor: number
  /** Milliseconds in which each other thread did not wait. */
  readonly busy: readonly number[]
}

/** Before the line with {@link CommandUse} on standard error. */
export const USE_MARK = 'command use: '

/** A module for `node --import`, in JavaScript since the program measured has no loader for TypeScript. */
export const commandHook = `import threads from 'node:worker_threads'
import {syncBuiltinESMExports} from 'node:module'
import {writeSync} from 'node:fs'
if (threads.isMainThread) {
  const busy = new Map()
  threads.Worker = class extends threads.Worker {
    terminate() {
      if (!busy.has(this)) busy.set(this, this.performance.eventLoopUtilization().active)
      return super.terminate()
    }
  }
  syncBuiltinESMExports()
  process.on('exit', () => {
    const {maxRSS, userCPUTime, systemCPUTime} = process.resourceUsage()
    const use = {
      peak: maxRSS,
      processor: userCPUTime + systemCPUTime,
      busy: [...busy.values()]
    }
    writeSync(2, '${USE_MARK}' + JSON.stringify(use) + '\\n')
  })
}
`
