import {render} from 'preact'
import type {DeskState} from '../desk/index.ts'
import {createStudio} from './create-studio.ts'
import {Frame} from './frame.tsx'
import {fakeDesk, graphView, readyState} from './test-desk.ts'
import {demoProject} from './test-studio.ts'

/**
 * The Graph page in the frame with a fake desk. The fragment names the state: `#old`, `#none`, `#computing`, `#failed`, `#dense`.
 * `window.heard` holds what was asked of the desk.
 */
const kind = location.hash.slice(1)
const heard: unknown[] = []
Object.assign(window, {heard})
let isResampled = false
let stop: (error: Error) => void = () => {}

function stateOf(revision: number): DeskState {
  const {threshold: _, ...unlearned} = readyState
  const base = kind === 'computing' || kind === 'failed' ? unlearned : readyState
  const numbers: Record<string, DeskState['numbers']> = {
    old: {is: 'old'},
    computing: {is: 'computing', words: 'waiting'},
    failed: {is: 'failed', message: 'no concept can be used; give one an anchor that fires'}
  }
  return {...base, revision, numbers: numbers[kind] ?? {is: 'ready'}, documents: kind === 'none' ? 0 : base.documents}
}

const base = fakeDesk()
const desk = fakeDesk({
  setProject: async (project, revision) => {
    heard.push({edges: project.edges, structure: project.fit.structure})
    setTimeout(() => shell.hear({kind: 'state', state: stateOf(revision)}), 5)
  },
  graph: async () => graphView(isResampled ? 0.93 : undefined),
  picture: async request => {
    heard.push({picture: request})
    return kind === 'dense' && request.kind === 'network' ? undefined : base.picture(request)
  },
  resample: replicates => {
    heard.push({resample: replicates})
    shell.hear({kind: 'progress', words: 'resampling for intervals', share: 0.4})
    return new Promise((resolve, reject) => {
      stop = reject
      setTimeout(() => {
        isResampled = true
        resolve(graphView(0.93))
      }, 400)
    })
  },
  cancel: async () => {
    heard.push('cancel')
    stop(new Error('resampling was stopped'))
  }
})
const shell = createStudio(desk)
shell.replace(demoProject, true)
shell.hear({kind: 'state', state: stateOf(1)})
shell.go({page: 'graph', concept: 'alcohol'})
render(<Frame shell={shell} />, document.body)
