import type {ReadonlySignal} from '@preact/signals'
import {createContext} from 'preact'
import {useContext} from 'preact/hooks'
import type {
  Edit,
  EvaluationView,
  History,
  ListQuery,
  Project,
  SessionApi,
  SessionEvent,
  SessionState
} from '../session/index.ts'

export type PageName = 'start' | 'anchors' | 'label' | 'documents' | 'graph' | 'evaluate' | 'compare'

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
}

/** Something said once; `isEdit` offers the way back. */
export interface Said {
  readonly message: string
  readonly isFault: boolean
  readonly isEdit: boolean
}

/** What pages read and call. They hold no other state than that of their own controls. */
export interface Studio {
  readonly session: SessionApi
  readonly project: ReadonlySignal<Project>
  readonly state: ReadonlySignal<SessionState>
  readonly view: ReadonlySignal<View>
  /** Of work that takes long and is no stage: reading, resampling. */
  readonly progress: ReadonlySignal<
    {readonly words: string; readonly share?: number; readonly figures?: EvaluationView} | undefined
  >
  readonly history: ReadonlySignal<History>
  readonly said: ReadonlySignal<Said | undefined>
  readonly isSaved: ReadonlySignal<boolean>
  /** Change the project: undoable, sent to the session, and said in the live region. */
  edit(edit: Edit): void
  undo(): void
  redo(): void
  go(view: Partial<View>): void
  /** Say something once, in a toast and to screen readers; an error is shown with its message. */
  say(message: string | Error): void
  hush(): void
  /** Take what the session says. */
  hear(event: SessionEvent): void
  /** Put another project in place of this one; there is nothing to undo then. `isSaved`: it is in files as it is. */
  replace(project: Project, isSaved: boolean): void
  /** The project as it is now has been written to a file. */
  markSaved(): void
}

export const StudioContext = createContext<Studio | undefined>(undefined)

/** The studio around a component. */
export function useStudio(): Studio {
  const studio = useContext(StudioContext)
  if (studio === undefined) throw new Error('internal error: a part of the page is drawn outside of the studio')
  return studio
}
