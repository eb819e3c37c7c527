import {signal} from '@preact/signals'
import type {DeskApi, DeskState, Edit, Project} from '../desk/index.ts'
import type {Studio, View} from './store.ts'
import {CONCEPTS, DOCUMENTS, fakeDesk, reading, readyState} from './test-desk.ts'

export const demoProject: Project = {
  name: 'ED visits',
  reading,
  anchors: CONCEPTS.map(([concept, any]) => ({concept, any, not: [], rates: undefined})),
  fit: {},
  labels: [],
  documents: {files: ['visits.jsonl'], count: DOCUMENTS, hash: 'a1b2c3'}
}

export interface FakeStudio extends Studio {
  /** What the page under test did, in order. */
  readonly edits: Edit[]
  readonly said: string[]
}

/** A studio with the emergency demo open; edits are recorded and change nothing. */
export function fakeStudio(
  over: {desk?: Partial<DeskApi>; project?: Project; state?: DeskState; view?: Partial<View>} = {}
): FakeStudio {
  const view = signal<View>({page: 'anchors', concept: 'alcohol', query: {}, document: undefined, ...over.view})
  const edits: Edit[] = []
  const said: string[] = []
  return {
    desk: fakeDesk(over.desk),
    project: signal(over.project ?? demoProject),
    state: signal(over.state ?? readyState),
    view,
    progress: signal(undefined),
    edits,
    said,
    edit: edit => edits.push(edit),
    undo: () => {},
    redo: () => {},
    go: change => {
      view.value = {...view.value, ...change}
    },
    say: message => said.push(String(message))
  }
}
