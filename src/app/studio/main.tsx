import {effect} from '@preact/signals'
import {render} from 'preact'
import {addressOf, readAddress, writeAddress} from './address.ts'
import {createStudio} from './create-studio.ts'
import {Frame} from './frame.tsx'
import {createIntake, IntakeContext} from './pages/start/intake.ts'
import type {Studio} from './store.ts'
import {watchRequests} from './windows.tsx'
import {startSession} from './workers/start-session.ts'

watchRequests()
start().catch((error: Error) => {
  document.body.textContent = `adfa studio cannot start: ${error.message}`
})

async function start(): Promise<void> {
  let studio: Studio | undefined
  const session = await startSession(event => studio?.hear(event))
  studio = createStudio(session)
  const intake = createIntake(studio)
  const root = document.getElementById('studio')
  if (!root) throw new Error('the page has no place for it')
  const {files} = readAddress(location.hash)
  followAddress(studio, files)
  askBeforeLeaving(studio)
  render(
    <IntakeContext.Provider value={intake}>
      <Frame studio={studio} />
    </IntakeContext.Provider>,
    root
  )
  if (files !== undefined) await handedOver(files).then(intake.add, studio.say)
}

/** The page and the concept are in the fragment, so that Back goes back. */
function followAddress(studio: Studio, files: string | undefined): void {
  const concepts = () => studio.project.value.anchors.map(({concept}) => concept)
  const follow = () => {
    const {page, concept} = readAddress(location.hash)
    studio.go({page, ...(concept === undefined ? {} : {concept: concepts()[concept - 1]})})
  }
  // After a reload no documents are open: other pages would be empty, while the files wait on Start.
  studio.go({page: 'start'})
  addEventListener('popstate', follow)
  effect(() => {
    const next = writeAddress(addressOf(studio.view.value, concepts(), files))
    if (next === location.hash) return
    const isOtherPage = readAddress(next).page !== readAddress(location.hash).page
    if (isOtherPage) history.pushState(null, '', next)
    else history.replaceState(null, '', next)
  })
}

function askBeforeLeaving(studio: Studio): void {
  addEventListener('beforeunload', event => {
    if (!studio.isSaved.value) event.preventDefault()
  })
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
