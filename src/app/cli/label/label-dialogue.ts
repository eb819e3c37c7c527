import type {LabelSession, Question} from '../../../use/labelling/index.ts'
import type {LabelFacts} from './label-facts.ts'
import {drawScreen} from './label-screen.ts'
import type {Terminal} from './label-terminal.ts'
import {type LabelAction, type LabelView, openView, pressKey, type ViewRoom} from './label-view.ts'

/** What the dialogue needs of the world. */
export interface Dialogue {
  readonly session: LabelSession
  readonly terminal: Terminal
  readonly facts: Pick<LabelFacts, 'anchors' | 'fields' | 'narrow' | 'file'>
  /** Save the session's rows; done before the next key is looked at. */
  readonly save: () => Promise<void>
  /** How probable each concept is in the document in question. */
  readonly rank: (question: Question) => ArrayLike<number>
  /** Learn from the labels given so far. */
  readonly learn: () => void
}

/** How it ended: by the reader's word, by Ctrl-C or a terminal that is gone, or because all is answered. */
export type DialogueEnd = 'quit' | 'interrupted' | 'finished'

/** Whole documents between two fits. */
const LEARN_EVERY = 10

/** Ask until nothing is left or the reader has enough. */
export async function runDialogue({session, terminal, facts, save, rank, learn}: Dialogue): Promise<DialogueEnd> {
  let note = session.rows.length > 0 ? `going on after ${session.rows.length} answers` : ''
  let wasEnough = session.progress().enough !== undefined
  let view = viewOf(session, rank)
  let room: ViewRoom = {listed: 1, column: 1, pages: 1}
  let shown = factsOf(session, facts)

  const redraw = () => {
    if (view === undefined) return
    const screen = drawScreen(view, {...shown, note}, terminal.size())
    room = screen.room
    terminal.draw(screen.lines)
  }

  /** Do what a key asked for; the end, if that is one. */
  const act = async (action: LabelAction, asked: LabelView): Promise<DialogueEnd | undefined> => {
    if (action === 'quit') return 'quit'
    if (action === 'interrupt') return 'interrupted'
    if (action === 'suspend') {
      await terminal.suspend()
      return undefined
    }
    const before = shown.progress.documents
    note = perform(session, action, asked)
    await save()
    const {documents} = session.progress()
    if (documents > before && documents % LEARN_EVERY === 0) {
      note = 'learning from your labels ...'
      redraw()
      learn()
      note = ''
    }
    shown = factsOf(session, facts)
    view = viewOf(session, rank)
    const isEnough = shown.progress.enough !== undefined
    if (view !== undefined && isEnough && !wasEnough) view = {...view, screen: 'enough'}
    wasEnough = isEnough
    return view === undefined ? 'finished' : undefined
  }

  if (view === undefined) return 'finished'
  for (;;) {
    redraw()
    const event = await terminal.next()
    if (event.kind === 'hangup') return 'interrupted'
    if (event.kind === 'resize') continue
    note = ''
    const next: LabelView | LabelAction = pressKey(view, event.key, session.concepts, room)
    if (typeof next !== 'string') {
      view = next
      continue
    }
    const end = await act(next, view)
    if (end !== undefined || view === undefined) return end ?? 'finished'
  }
}

/** Give the answer to the session; what the reader should be told of it. */
function perform(session: LabelSession, action: LabelAction, {question, ticked}: LabelView): string {
  switch (action) {
    case 'undo':
      return session.undo() ? 'taken back; answer it anew' : 'there is no answer to take back'
    case 'skip':
      session.skip()
      return 'skipped; u brings it back'
    case 'yes':
    case 'no':
      session.answer(new Set(action === 'yes' && question.drawn === 'anchored' ? [question.concept] : []))
      return ''
    default:
      session.answer(ticked)
      return ''
  }
}

function viewOf(session: LabelSession, rank: Dialogue['rank']): LabelView | undefined {
  const {question} = session
  return question === undefined ? undefined : openView(question, rank(question), session.preset)
}

function factsOf(session: LabelSession, facts: Dialogue['facts']): Omit<LabelFacts, 'note'> {
  return {...facts, concepts: session.concepts, progress: session.progress(), history: session.history()}
}
