import type {ReadonlySignal} from '@preact/signals'
import type {DeskApi, DeskState, Edit, EvaluationView, ListQuery, Project} from '../desk/index.ts'

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

/** What pages read and call. They hold no other state than that of their own controls. */
export interface Studio {
  readonly desk: DeskApi
  readonly project: ReadonlySignal<Project>
  readonly state: ReadonlySignal<DeskState>
  readonly view: ReadonlySignal<View>
  /** Of work that takes long and is no stage: reading, resampling. */
  readonly progress: ReadonlySignal<
    {readonly words: string; readonly share?: number; readonly figures?: EvaluationView} | undefined
  >
  /** Change the project: undoable, sent to the desk, and said in the live region. */
  edit(edit: Edit): void
  undo(): void
  redo(): void
  go(view: Partial<View>): void
  /** Say something once, in a toast and to screen readers; an error is shown with its message. */
  say(message: string | Error): void
}

export interface PageProps {
  readonly studio: Studio
}
