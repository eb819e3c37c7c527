import {effect} from '@preact/signals'
import {render} from 'preact'
import {addressOf, readAddress, writeAddress} from './address.ts'
import {createStudio, type Shell} from './create-studio.ts'
import {Frame} from './frame.tsx'
import {handedOver} from './handed-over.ts'
import {createIntake, IntakeContext} from './intake.ts'
import {watchRequests} from './seal.ts'
import {startDesk} from './start-desk.ts'

watchRequests()
start().catch((error: Error) => {
  document.body.textContent = `adfa studio cannot start: ${error.message}`
})

async function start(): Promise<void> {
  let shell: Shell | undefined
  const desk = await startDesk(event => shell?.hear(event))
  shell = createStudio(desk)
  const intake = createIntake(shell)
  const root = document.getElementById('studio')
  if (!root) throw new Error('the page has no place for it')
  const {files} = readAddress(location.hash)
  followAddress(shell, files)
  askBeforeLeaving(shell)
  render(
    <IntakeContext.Provider value={intake}>
      <Frame shell={shell} />
    </IntakeContext.Provider>,
    root
  )
  if (files !== undefined) await handedOver(files).then(intake.add, shell.say)
}

/** The page and the concept are in the fragment, so that Back goes back. */
function followAddress(shell: Shell, files: string | undefined): void {
  const concepts = () => shell.project.value.anchors.map(({concept}) => concept)
  const follow = () => {
    const {page, concept} = readAddress(location.hash)
    shell.go({page, ...(concept === undefined ? {} : {concept: concepts()[concept - 1]})})
  }
  // After a reload no documents are open: other pages would be empty, while the files wait on Start.
  shell.go({page: 'start'})
  addEventListener('popstate', follow)
  effect(() => {
    const next = writeAddress(addressOf(shell.view.value, concepts(), files))
    if (next === location.hash) return
    const isOtherPage = readAddress(next).page !== readAddress(location.hash).page
    if (isOtherPage) history.pushState(null, '', next)
    else history.replaceState(null, '', next)
  })
}

function askBeforeLeaving(shell: Shell): void {
  addEventListener('beforeunload', event => {
    if (!shell.isSaved.value) event.preventDefault()
  })
}
