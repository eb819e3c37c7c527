import {render} from 'preact'
import {createStudio} from './create-studio.ts'
import {Frame} from './frame.tsx'
import {createIntake, IntakeContext} from './intake.ts'
import type {PageName} from './store.ts'
import {emptyState, fakeDesk, readyState} from './test-desk.ts'
import {demoProject} from './test-studio.ts'

/**
 * The studio with a fake desk, page and state by the fragment: `#anchors`, `#anchors,empty`, `#start,fault`. Bundled by
 * test-shots.ts.
 */
const [page, kind] = location.hash.slice(1).split(',') as [PageName, string | undefined]
const never = new Promise<never>(() => {})
const fault = 'visits.jsonl, line 4,817: not valid JSON: Unexpected end of JSON input. Mend or remove the line.'
const desk = fakeDesk({
  ...(kind === 'fault' ? {survey: () => Promise.reject(new Error(fault))} : {}),
  ...(kind === 'reading' ? {open: () => never} : {}),
  ...(kind === 'refused' ? {evaluate: () => Promise.reject(new Error('the evaluation was stopped'))} : {}),
  ...(kind === 'judging' ? {evaluate: () => never} : {})
})
const shell = createStudio(desk)
const intake = createIntake(shell)
if (kind !== 'empty' && kind !== 'fault') shell.replace(demoProject, false)
shell.hear({kind: 'state', state: stateOf(kind)})
shell.go({page})
if (page === 'start' && kind !== 'empty')
  intake.add([new File(['x'], 'visits.jsonl')]).then(kind === 'reading' ? read : undefined)

function stateOf(kind: string | undefined) {
  if (kind === 'empty' || kind === 'fault' || page === 'start') return emptyState
  if (kind === 'computing')
    return {
      ...readyState,
      numbers: {is: 'provisional'} as const,
      scores: {is: 'computing', words: 'learning word weights', share: 0.4} as const
    }
  if (kind === 'failed')
    return {
      ...readyState,
      numbers: {is: 'failed', message: 'no concept can be used'} as const,
      scores: {is: 'old'} as const
    }
  return readyState
}

function read(): void {
  intake.read()
  shell.hear({kind: 'progress', words: 'Reading visits.jsonl: 3.6 of 6.0 MB, 12,004 documents', share: 0.6})
}

render(
  <IntakeContext.Provider value={intake}>
    <Frame shell={shell} />
  </IntakeContext.Provider>,
  document.body
)
