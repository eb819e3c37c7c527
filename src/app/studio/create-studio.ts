import {batch, computed, effect, signal} from '@preact/signals'
import {
  type Edit,
  editWords,
  type History,
  makeEdit,
  type Project,
  redo,
  type SessionApi,
  type SessionState,
  startHistory,
  undo
} from '../session/index.ts'
import type {Said, Studio, View} from './store.ts'

export const emptyProject: Project = {name: 'untitled', reading: {text: []}, anchors: [], fit: {}, labels: []}

const nothing = {is: 'none', needs: 'documents'} as const

const emptyState: SessionState = {
  revision: 0,
  documents: 0,
  heldOut: 0,
  counts: nothing,
  numbers: nothing,
  scores: nothing,
  concepts: [],
  findings: [],
  uncovered: [],
  isExamined: false,
  rates: {given: 0, labels: 0, guess: 0}
}

/** The project, what is on the screen, and what follows from it. */
export function createStudio(session: SessionApi, first: Project = emptyProject): Studio {
  const history = signal(startHistory(first))
  const project = computed(() => history.value.project)
  const state = signal(emptyState)
  const view = signal<View>({page: 'start', concept: undefined, query: {}, document: undefined})
  const said = signal<Said | undefined>(undefined)
  const progress = signal<Studio['progress']['value']>(undefined)
  const saved = signal(first)
  let revision = 0

  const say = (message: string | Error, isEdit = false) => {
    const isFault = typeof message !== 'string'
    said.value = {message: isFault ? message.message : message, isFault, isEdit}
  }
  // The session follows every change of the project; it marks older results as old by itself.
  effect(() => {
    const now = project.value
    if (now !== first) session.setProject(now, ++revision).catch((error: Error) => say(error))
  })
  /** Keep the concept at hand one that exists. */
  const keepConcept = () => {
    const names = project.value.anchors.map(({concept}) => concept)
    const {concept} = view.value
    if (concept === undefined ? names.length > 0 : !names.includes(concept))
      view.value = {...view.value, concept: names[0]}
    // Of a list by a concept that is gone only its words are left: all else is about the concept.
    const {concept: listed, has, lacks} = view.value.query
    if (listed !== undefined && !names.includes(listed))
      view.value = {...view.value, query: {...(has !== undefined && {has}), ...(lacks !== undefined && {lacks})}}
  }
  const change = (next: History, words?: string) =>
    batch(() => {
      history.value = next
      keepConcept()
      if (words !== undefined) say(words, true)
    })

  return {
    session,
    project,
    state,
    view,
    history,
    said,
    progress,
    isSaved: computed(() => saved.value === project.value),
    edit(edit: Edit) {
      try {
        const next = makeEdit(history.value, edit)
        batch(() => {
          if (edit.kind === 'addConcept') view.value = {...view.value, concept: edit.concept}
          if (edit.kind === 'renameConcept' && view.value.concept === edit.concept)
            view.value = {...view.value, concept: edit.to}
          change(next, `Done: ${editWords(edit)}`)
        })
      } catch (error) {
        say(error as Error)
      }
    },
    undo() {
      const words = history.value.undos.at(-1)?.words
      if (words !== undefined) change(undo(history.value))
      if (words !== undefined) say(`Undone: ${words}`)
    },
    redo() {
      const words = history.value.redos.at(-1)?.words
      if (words !== undefined) change(redo(history.value))
      if (words !== undefined) say(`Redone: ${words}`)
    },
    go(next: Partial<View>) {
      view.value = {...view.value, ...next}
    },
    say: message => say(message),
    hear(event) {
      if (event.kind === 'notice') say(event.message)
      else if (event.kind === 'progress') progress.value = event
      else
        batch(() => {
          state.value = event.state
          progress.value = undefined
        })
    },
    replace(next, isSaved) {
      change(startHistory(next))
      if (isSaved) saved.value = next
    },
    markSaved() {
      saved.value = project.value
    },
    hush() {
      said.value = undefined
    }
  }
}
