import {connect, type DeskApi, type DeskEvent} from '../desk/index.ts'
import {startWorker} from './start-worker.ts'

/**
 * Start the desk in a worker of its own. Its script is a text of this page, or a file beside it; a worker can be started from
 * either only by way of a `blob:` address.
 */
export async function startDesk(onEvent: (event: DeskEvent) => void): Promise<DeskApi> {
  const text = document.getElementById('desk')?.textContent ?? (await (await fetch('desk.js')).text())
  const address = URL.createObjectURL(new Blob([text], {type: 'text/javascript'}))
  return connect<DeskApi, DeskEvent>(startWorker(address, 'desk'), onEvent).api
}
