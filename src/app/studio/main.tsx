import {render} from 'preact'
import {followAddress, readAddress} from './address.ts'
import {Frame} from './frame.tsx'
import {createStudio, type Studio} from './store.ts'
import {watchRequests} from './windows.tsx'
import {startSession} from './workers/start-session.ts'

watchRequests()
start().catch((error: Error) => {
  document.body.textContent = `adfa studio cannot start: ${error.message}`
})

async function start(): Promise<void> {
  const root = document.getElementById('studio')
  if (!root) throw new Error('the page has no place for it')
  let studio: Studio | undefined
  const session = await startSession(event => studio?.hear(event))
  studio = createStudio(session)
  const {intake, isSaved, say} = studio
  const {files} = readAddress(location.hash)
  followAddress(studio, files)
  addEventListener('beforeunload', event => {
    if (!isSaved.value) event.preventDefault()
  })
  render(<Frame studio={studio} />, root)
  if (files !== undefined) await handedOver(files).then(intake.add, say)
}

/** The files of `adfa studio FILES`, which the server keeps under a key. */
async function handedOver(key: string): Promise<File[]> {
  const list = (await (await ask(`files/${key}/`)).json()) as readonly {readonly name: string}[]
  return Promise.all(list.map(async ({name}, at) => new File([await (await ask(`files/${key}/${at}`)).blob()], name)))
}

async function ask(address: string): Promise<Response> {
  const answer = await fetch(address)
  if (!answer.ok)
    throw new Error(
      'the files given on the command line are no longer available; run adfa studio again, or drop them here'
    )
  return answer
}
