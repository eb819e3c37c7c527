import {MessageChannel, type MessagePort} from 'node:worker_threads'
import {afterEach, describe, expect, it} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {connect, type Port, serve} from './remote.ts'

interface Sums {
  add(a: number, b: number): Promise<number>
  refuse(): Promise<void>
  break(): Promise<void>
  never(): Promise<void>
}

const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

/** A port of Node as browsers have them. */
function portOf(port: MessagePort): Port {
  ports.push(port)
  return {
    postMessage: message => port.postMessage(message),
    addEventListener: (_, listener) => void port.on('message', data => listener({data}))
  }
}

function pair() {
  const {port1, port2} = new MessageChannel()
  const events: string[] = []
  serve<Sums, string>(portOf(port1), emit => ({
    add: async (a, b) => {
      emit(`adding ${a}`)
      return a + b
    },
    refuse: async () => {
      throw new AdfaError('bad-option', 'no; give another')
    },
    break: async () => {
      throw new TypeError('a bug')
    },
    never: () => new Promise(() => {})
  }))
  const connection = connect<Sums, string>(portOf(port2), event => events.push(event))
  return {...connection, events}
}

describe('calls between threads', () => {
  it('come back to who asked, in any order, and events before their answer', async () => {
    const {api, events} = pair()
    expect(await Promise.all([api.add(1, 2), api.add(3, 4)])).toEqual([3, 7])
    expect(events).toEqual(['adding 1', 'adding 3'])
  })

  it('keep the code and message of an AdfaError; others stay bugs', async () => {
    const {api} = pair()
    const refused = await api.refuse().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(AdfaError)
    expect(refused).toMatchObject({code: 'bad-option', message: 'no; give another'})
    const broken = await api.break().catch((error: unknown) => error)
    expect(broken).not.toBeInstanceOf(AdfaError)
    expect(broken).toMatchObject({message: 'a bug'})
    await expect((api as unknown as {x(): Promise<void>}).x()).rejects.toThrow()
  })

  it('are rejected when the other side has ended', async () => {
    const {api, close} = pair()
    const call = api.never()
    close()
    await expect(call).rejects.toMatchObject({code: 'cancelled'})
    await expect(api.add(1, 1)).rejects.toMatchObject({code: 'cancelled'})
  })

  it('can be awaited as an object', async () => {
    const {api} = pair()
    expect(await (await Promise.resolve(api)).add(2, 2)).toBe(4)
  })
})
