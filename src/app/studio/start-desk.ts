import {connect, type DeskApi, type DeskEvent} from '../desk/index.ts'
import {scriptAddress, startWorker} from './start-worker.ts'

/**
 * Start the desk in a worker of its own. Its script is a text of this page, or a file beside it; a worker can be started from
 * either only by way of a `blob:` address.
 */
export async function startDesk(onEvent: (event: DeskEvent) => void): Promise<DeskApi> {
  const text = document.getElementById('desk')?.textContent ?? (await (await fetch('desk.js')).text())
  const address = scriptAddress(text)
  const desk = startWorker(address, 'desk')
  startSolvers(desk, address)
  return connect<DeskApi, DeskEvent>(desk, onEvent).api
}

/**
 * Start a solver when the desk sends a port for it, and end the one before; without a port, only end it. The desk does not do so
 * by itself: where a worker starts another one, Firefox can lose the signal that the first waits for, and both sleep for good.
 */
function startSolvers(desk: Worker, address: string): void {
  let solver: Worker | undefined
  desk.addEventListener('message', ({data, ports}: MessageEvent<{readonly kind: string}>) => {
    if (data.kind !== 'solver') return
    solver?.terminate()
    solver = ports.length === 0 ? undefined : startWorker(address, 'solver')
    solver?.postMessage({kind: 'port'}, [...ports])
  })
}
