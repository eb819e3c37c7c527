import {connect, type DeskApi, type DeskEvent} from '../desk/index.ts'
import {scriptAddress, startWorker} from './start-worker.ts'

/**
 * Start the desk in a worker of its own. Its script is a text of this page, or a file beside it; a worker can be started from
 * either only by way of a `blob:` address.
 */
export async function startDesk(onEvent: (event: DeskEvent) => void): Promise<DeskApi> {
  const text = document.getElementById('desk')?.textContent ?? (await (await fetch('desk.js')).text())
  const worker = startWorker(scriptAddress(text), 'desk')
  worker.postMessage({kind: 'script', text})
  return connect<DeskApi, DeskEvent>(worker, onEvent).api
}
