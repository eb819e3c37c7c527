import {batch, computed, signal} from '@preact/signals'
import {createContext} from 'preact'
import {useContext} from 'preact/hooks'
import type {AdfaError} from '../../base/checks/index.ts'
import {
  applyEdit,
  type Change,
  changeHistory,
  type Edit,
  emptyProject,
  type ListQuery,
  type Progress,
  type Project,
  type SessionApi,
  type SessionEvent,
  type SessionState,
  type Side,
  startHistory
} from '../session/index.ts'
import {editWords} from './edit-words.ts'
import {createIntake, type Intake} from './pages/start/intake.ts'

/** In the order of work. */
export const pageNames = ['start', 'anchors', 'label', 'documents', 'graph', 'evaluate', 'compare'] as const
export type PageName = (typeof pageNames)[number]

/** What is on the screen; the page and the number of the concept are in the address, and never a word of a document. */
export interface View {
  readonly page: PageName
  /** The concept at hand; undefined where there is none. */
  readonly concept: string | undefined
  /** Documents page: which documents, and the one that is open. */
  readonly query: ListQuery
  readonly document: number | undefined
  /** Evaluate: the mistakes about the concept at hand that are shown first. */
  readonly mistakes?: 'alarm' | 'miss' | undefined
  /** Compare: the two models that were chosen. */
  readonly sides?: readonly Side[]
}

export type WindowName = 'keys' | 'privacy'

/** Something said once; `isEdit` offers the way back. */
export interface Said {
  readonly message: string
  readonly isFault: boolean
  readonly isEdit: boolean
}

const nothing = {is: 'none', needs: 'documents'} as const

export const emptyState: SessionState = {
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
export type Store = ReturnType<typeof createStore>

/** What pages read and call. They hold no other state than that of their own controls. */
export type Studio = Store & {readonly intake: Intake}

export function createStudio(session: SessionApi): Studio {
  const store = createStore(session)
  return {...store, intake: createIntake(store)}
}

function createStore(session: SessionApi) {
  const history = signal(startHistory(emptyProject))
  const project = computed(() => history.value.project)
  const state = signal(emptyState)
  const view = signal<View>({page: 'start', concept: undefined, query: {}, document: undefined})
  const said = signal<Said | undefined>(undefined)
  const opened = signal<WindowName | undefined>(undefined)
  const progress = signal<Progress | undefined>(undefined)
  const saved = signal(emptyProject)
  /** Grows with every change of the project. */
  const revision = signal(0)

  const say = (message: string | Error, isEdit = false) => {
    const isFault = typeof message !== 'string'
    said.value = {message: isFault ? message.message : message, isFault, isEdit}
  }
  /** Keeps the concept at hand one that exists. */
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
  /** Changes the project here and in the session, which marks older results as old by itself. */
  const change = (next: Change) =>
    batch(() => {
      const before = project.value
      history.value = changeHistory(history.value, next)
      if (project.value === before) return
      keepConcept()
      revision.value++
      session.change(next, revision.value).catch((error: Error) => say(error))
    })
  const goBack = (kind: 'undo' | 'redo', [step]: readonly {readonly edit: Edit}[], done: string) => {
    if (step === undefined) return
    change({kind})
    say(`${done}: ${editWords(step.edit)}`)
  }

  const go = (next: Partial<View>): void => {
    view.value = {...view.value, ...next}
  }

  return {
    session,
    project,
    state,
    view,
    /** The window that covers the page. */
    opened,
    progress,
    history,
    revision,
    said,
    isSaved: computed(() => saved.value === project.value),
    /** Change the project: undoable, sent to the session, and said in the live region. */
    edit(edit: Edit): void {
      try {
        batch(() => {
          const {concept} = view.value
          change({kind: 'edit', edit})
          if (edit.kind === 'addConcept') go({concept: edit.concept})
          if (edit.kind === 'renameConcept' && concept === edit.concept) go({concept: edit.to})
          say(`Done: ${editWords(edit)}`, true)
        })
      } catch (error) {
        say(error as Error)
      }
    },
    /** Why an edit would be refused, if it would. */
    refusalOf(edit: Edit): AdfaError | undefined {
      try {
        applyEdit(project.value, edit)
        return undefined
      } catch (error) {
        return error as AdfaError
      }
    },
    undo: (): void => goBack('undo', history.value.undos.slice(-1), 'Undone'),
    redo: (): void => goBack('redo', history.value.redos.slice(-1), 'Redone'),
    go,
    /** Say something once, in a toast and to screen readers; an error is shown with its message. */
    say: (message: string | Error): void => say(message),
    hush(): void {
      said.value = undefined
    },
    /** Take what the session says. */
    hear(event: SessionEvent): void {
      if (event.kind === 'notice') say(event.message)
      else if (event.kind === 'progress') progress.value = event
      else
        batch(() => {
          state.value = event.state
          progress.value = undefined
        })
    },
    /** Put another project in place of this one; there is nothing to undo then. `isSaved`: it is in files as it is. */
    replace(next: Project, isSaved: boolean): void {
      change({kind: 'replace', project: next})
      if (isSaved) saved.value = next
    },
    /** The project as it is now has been written to a file. */
    markSaved(): void {
      saved.value = project.value
    }
  }
}

export const StudioContext = createContext<Studio | undefined>(undefined)

/** The studio around a component. */
export function useStudio(): Studio {
  const studio = useContext(StudioContext)
  if (studio === undefined) throw new Error('internal error: a part of the page is drawn outside of the studio')
  return studio
}
