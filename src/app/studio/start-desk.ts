import {connect, type DeskApi, type DeskEvent} from '../desk/index.ts'
import {scriptAddress, startWorker} from './start-worker.ts'
import type {ScriptName, ScriptText} from './worker-scripts.ts'

/**
 * Start the desk in a worker of its own. A worker can load no second file from disk, and not even its own address, so the page
 * hands it the texts of the workers that it starts: its own at once, for solvers, others when it asks for them.
 */
export async function startDesk(onEvent: (event: DeskEvent) => void): Promise<DeskApi> {
  const text = await scriptText('desk')
  const worker = startWorker(scriptAddress(text), 'desk')
  const send = (script: ScriptText) => worker.postMessage({kind: 'script', ...script})
  send({name: 'desk', text})
  worker.addEventListener('message', ({data}: MessageEvent<{readonly kind: string; readonly name: ScriptName}>) => {
    if (data.kind !== 'wanted') return
    const {name} = data
    scriptText(name).then(
      text => send({name, text}),
      (error: Error) => send({name, fault: error.message})
    )
  })
  return connect<DeskApi, DeskEvent>(worker, onEvent).api
}

/** A script is a text of this page, or a file beside it; a worker can be started from either only by way of a `blob:` address. */
async function scriptText(name: ScriptName): Promise<string> {
  const own = document.getElementById(name)?.textContent
  if (own) return own
  const answer = await fetch(`${name}.js`)
  if (!answer.ok) throw new Error(`the studio's file ${name}.js cannot be read; start adfa studio again`)
  return answer.text()
}
