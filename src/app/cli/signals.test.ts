import {expect, test} from 'vitest'
import {failureOf} from '../../read/files/test-folder.ts'
import {cancellable} from './signals.ts'

test('cancellable(...) aborts on a signal, then gives the listeners back, and there is one at every moment', async () => {
  const mine = () => {}
  const left: number[] = []
  const watch = (event: string | symbol) => {
    if (event === 'SIGTERM') left.push(process.listenerCount('SIGTERM'))
  }
  process.once('SIGTERM', mine)
  process.on('removeListener', watch)
  try {
    const failure = await failureOf(() =>
      cancellable(async signal => {
        process.emit('SIGTERM')
        signal.throwIfAborted()
      })
    )
    expect(failure.code).toBe('cancelled')
    expect(process.listeners('SIGTERM')).toContain(mine)
    expect(left.length).toBeGreaterThan(1)
    expect(Math.min(...left)).toBeGreaterThan(0)
  } finally {
    process.off('removeListener', watch)
    process.off('SIGTERM', mine)
  }
})
