import {connect, type SessionApi, type SessionEvent} from '../../session/index.ts'
import {scriptAddress, startWorker} from './start-worker.ts'

/** What the session asks of the page: workers, each with a number. */
export type WorkerRequest =
  /** With a port for it. */
  | {readonly kind: 'start'; readonly id: number; readonly script: ScriptName}
  | {readonly kind: 'end'; readonly id: number}

/** What the page answers where it cannot start one. */
export interface WorkerFault {
  readonly kind: 'fault of worker'
  readonly id: number
  readonly message: string
}

export type ScriptName = 'session' | 'solver' | 'draw'

/** Start the session in a worker of its own. */
export async function startSession(onEvent: (event: SessionEvent) => void): Promise<SessionApi> {
  const session = startWorker(await addressOf('session'), 'session')
  startWorkers(session)
  return connect<SessionApi, SessionEvent>(session, onEvent).api
}

/**
 * Start and end workers for the session. It does not do so by itself: where a worker starts another one, Firefox can lose the signal
 * that the first waits for, and both sleep for good.
 */
function startWorkers(session: Worker): void {
  const workers = new Map<number, Worker | undefined>()
  session.addEventListener('message', async ({data, ports}: MessageEvent<WorkerRequest>) => {
    const {kind, id} = data
    if (kind === 'end') {
      workers.get(id)?.terminate()
      workers.delete(id)
    }
    if (kind !== 'start') return
    workers.set(id, undefined)
    try {
      const address = await addressOf(data.script)
      // It may have been ended while its script was read.
      if (!workers.has(id)) return
      const worker = startWorker(address, 'worker')
      workers.set(id, worker)
      worker.postMessage({kind: 'port'}, [...ports])
    } catch (error) {
      const {message} = error as Error
      session.postMessage({kind: 'fault of worker', id, message} satisfies WorkerFault)
    }
  })
}

const addresses = new Map<ScriptName, string>()

/** A script is a text of this page, or a file beside it; a worker can be started from either only by way of a `blob:` address. */
async function addressOf(name: ScriptName): Promise<string> {
  const known = addresses.get(name)
  if (known !== undefined) return known
  const address = scriptAddress(document.getElementById(name)?.textContent || (await fetchedScript(name)))
  addresses.set(name, address)
  return address
}

async function fetchedScript(name: ScriptName): Promise<string> {
  // A page from disk has no files beside it.
  if (document.getElementById('session')) throw new Error(`this page does not hold ${name}.js; it is in adfa studio`)
  const answer = await fetch(`${name}.js`).catch(() => undefined)
  if (answer?.ok) return answer.text()
  throw new Error(
    `the studio's file ${name}.js cannot be read; save the project, start adfa studio again and open it there`
  )
}
