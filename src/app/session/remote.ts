/**
 * Calls between threads: an object of async methods on one side, the same type on the other. Errors keep their code and
 * message; events go one way, from the side that serves.
 */
import {AdfaError, type ErrorCode} from '../../base/checks/index.ts'

/** A `Worker`, a `MessagePort` or the scope of a worker. */
export interface Port {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: {readonly data: unknown}) => void): void
}

type Message =
  | {readonly kind: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[]}
  | {readonly kind: 'answer'; readonly id: number; readonly value: unknown}
  | {readonly kind: 'fault'; readonly id: number; readonly code: ErrorCode | undefined; readonly message: string}
  | {readonly kind: 'event'; readonly event: unknown}

/** An object whose methods are all async. */
export type Methods<Api> = {readonly [Name in keyof Api]: (...args: never[]) => Promise<unknown>}

/** Answers the calls of the other side. `make` gets a function that sends it events. */
export function serve<Api extends Methods<Api>, Event>(port: Port, make: (emit: (event: Event) => void) => Api): void {
  const send = (message: Message) => port.postMessage(message)
  const api = make(event => send({kind: 'event', event}))
  port.addEventListener('message', async ({data}) => {
    const message = data as Message
    if (message.kind !== 'call') return
    const {id, method, args} = message
    try {
      const call = api[method as keyof Api] as unknown as (...args: readonly unknown[]) => Promise<unknown>
      const value = await call.apply(api, args as unknown[])
      send({kind: 'answer', id, value})
    } catch (error) {
      const code = error instanceof AdfaError ? error.code : undefined
      send({kind: 'fault', id, code, message: error instanceof Error ? error.message : String(error)})
    }
  })
}

export interface Connection<Api> {
  readonly api: Api
  /** Rejects the calls under way, and all later ones: the other side has ended, or could not start. */
  close(reason?: string): void
}

/** Calls the methods of the object that the other side serves. */
export function connect<Api extends Methods<Api>, Event = never>(
  port: Port,
  onEvent: (event: Event) => void = () => {}
): Connection<Api> {
  const waiting = new Map<number, {resolve(value: unknown): void; reject(error: Error): void}>()
  let closed: AdfaError | undefined
  let last = 0
  port.addEventListener('message', ({data}) => {
    const message = data as Message
    if (message.kind === 'event') onEvent(message.event as Event)
    if (message.kind !== 'answer' && message.kind !== 'fault') return
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'answer') call?.resolve(message.value)
    else
      call?.reject(
        message.code === undefined ? new Error(message.message) : new AdfaError(message.code, message.message)
      )
  })
  const call =
    (method: string) =>
    (...args: readonly unknown[]) =>
      new Promise<unknown>((resolve, reject) => {
        if (closed !== undefined) return reject(closed)
        waiting.set(++last, {resolve, reject})
        port.postMessage({kind: 'call', id: last, method, args} satisfies Message)
      })
  // A proxy must not look like a promise where it is awaited.
  const api = new Proxy({} as Api & object, {get: (_, name) => (name === 'then' ? undefined : call(String(name)))})
  return {
    api,
    close(reason = 'the work was stopped') {
      closed = new AdfaError('cancelled', reason)
      for (const {reject} of waiting.values()) reject(closed)
      waiting.clear()
    }
  }
}
