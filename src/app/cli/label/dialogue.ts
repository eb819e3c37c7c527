import {AdfaError} from '../../../base/checks/index.ts'
import {counted, nameList} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import type {PooledRates} from '../../../learn/noise/index.ts'
import type {Counts} from '../../../read/counts/index.ts'
import {exclusiveGroups} from '../../../read/data/index.ts'
import {openThreads} from '../../../read/engines/index.ts'
import {
  anchorRanking,
  type LabelSession,
  learnRanking,
  type Question,
  type Ranking,
  rankBy
} from '../../../use/labelling/index.ts'
import type {Output} from '../output.ts'
import {drawScreen} from './screen.ts'
import type {LabelStore} from './store.ts'
import {openTerminal, type Terminal} from './terminal.ts'
import {
  type LabelAction,
  type LabelFacts,
  type LabelView,
  openView,
  pressKey,
  undecided,
  type ViewRoom
} from './view.ts'

interface Dialogue {
  readonly session: LabelSession
  readonly terminal: Terminal
  readonly facts: Pick<LabelFacts, 'anchors' | 'groups' | 'fields' | 'narrow' | 'file'>
  /** Saves the rows of the session; awaited before the next key is read. */
  readonly save: () => Promise<void>
  /** How probable each concept is in the document in question. */
  readonly rank: (question: Question) => ArrayLike<number>
  /** Learn from the labels given so far, in the background: keys and signals must not wait. */
  readonly learn: () => void
}

/** How it ended: by the user, by Ctrl-C or a closed terminal, or because everything is answered. */
type DialogueEnd = 'quit' | 'interrupted' | 'finished'

/** Completely labelled documents between two fits. */
const LEARN_EVERY = 10

/** Asks until nothing is left or the user stops. */
export async function runDialogue({session, terminal, facts, save, rank, learn}: Dialogue): Promise<DialogueEnd> {
  let note = session.rows.length > 0 ? `continuing after ${counted(session.rows.length, 'answer')}` : ''
  let wasEnough = session.progress().enough !== undefined
  let view = viewOf(session, rank, facts)
  let room: ViewRoom = {listed: 1, column: 1, pages: 1}
  let shown = factsOf(session, facts)

  const redraw = () => {
    if (view === undefined) return
    const screen = drawScreen(view, {...shown, note}, terminal.size())
    room = screen.room
    terminal.draw(screen.lines)
  }

  /** Performs an action; returns how the dialogue ended, if it did. */
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
    if (documents > before && documents % LEARN_EVERY === 0) learn()
    shown = factsOf(session, facts)
    view = viewOf(session, rank, facts)
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
    const open = next === 'done' ? undecided(view) : undefined
    if (open !== undefined) {
      note = `one of ${nameList(open.map(i => session.concepts[i]))} holds: tick it, or s skips the document`
      continue
    }
    const end = await act(next, view)
    if (end !== undefined || view === undefined) return end ?? 'finished'
  }
}

/** Passes the answer to the session; returns a note for the user. */
function perform(session: LabelSession, action: LabelAction, {question, ticked}: LabelView): string {
  switch (action) {
    case 'undo':
      return session.undo() ? 'undone; answer it again' : 'there is no answer to undo'
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

function viewOf(session: LabelSession, rank: Dialogue['rank'], {groups}: Dialogue['facts']): LabelView | undefined {
  const {question} = session
  return question === undefined ? undefined : openView(question, rank(question), session.preset, groups)
}

function factsOf(session: LabelSession, facts: Dialogue['facts']): Omit<LabelFacts, 'note'> {
  return {...facts, concepts: session.concepts, progress: session.progress()}
}

interface Asking {
  readonly file: string
  readonly store: LabelStore
  readonly enough: number
  readonly json: boolean
}

/** Asks in the terminal; a model ranks the concepts and learns from the answers. */
export async function askInTerminal(
  session: LabelSession,
  counts: Counts,
  {file, store, enough, json}: Asking,
  output: Output
): Promise<void> {
  const {anchors, reading} = counts.lexicon
  output.progress('learning a first model')
  let ranking = await firstRanking(counts, session, output)
  output.done()
  const thread = openRankingThread(counts)
  const learn = async () => {
    const rates = session.progress().precision?.rates
    const model = await thread.learn(rates).catch(() => undefined)
    ranking = model === undefined ? anchorRanking(counts) : rankBy(model)
  }
  const terminal = openTerminal(json)
  try {
    const end = await runDialogue({
      session,
      terminal,
      facts: {
        anchors: anchors.map(({any}) => any),
        groups: exclusiveGroups(anchors),
        fields: reading.text,
        narrow: enough,
        file
      },
      save: () => store.save(session.rows),
      rank: ({document}) => ranking.probabilities(document.evidence),
      learn
    })
    if (end !== 'interrupted') return
  } finally {
    terminal.close()
    await thread.close()
  }
  throw new AdfaError(
    'cancelled',
    `stopped; ${counted(session.rows.length, 'answer')} saved in ${file}; run the same command to continue`
  )
}

/** A ranking by a model if one can be fitted, otherwise by anchors: labelling must not fail. */
async function firstRanking(counts: Counts, session: LabelSession, output: Output): Promise<Ranking> {
  try {
    return rankBy(await learnRanking(counts, session.progress().precision?.rates))
  } catch (error) {
    if (!(error instanceof AdfaError)) throw error
    output.note(`concepts are ranked by their anchors only, because no model could be fitted: ${error.message}`)
    return anchorRanking(counts)
  }
}

/** What the thread that learns rankings can do. */
export interface RankingTasks {
  learn(rates: readonly PooledRates[] | undefined): Promise<Model>
}

/** Learns on a thread of its own, which starts when it is first needed. Close it. */
export function openRankingThread(counts: Counts) {
  const threads = openThreads<RankingTasks>(1, {
    file: new URL('./ranking-worker.ts', import.meta.url),
    data: counts,
    stopped: 'concepts are ranked by their anchors from now on'
  })
  return {
    learn: (rates: readonly PooledRates[] | undefined) => threads.run(([thread]) => thread.ask('learn', rates)),
    close: () => threads.close()
  }
}
