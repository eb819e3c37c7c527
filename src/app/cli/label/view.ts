import type {ExclusiveGroup} from '../../../read/data/index.ts'
import type {LabelProgress, Question} from '../../../use/labelling/index.ts'

/** The state of the screen for one question, with the concepts ticked so far. */
export interface LabelView {
  readonly screen: 'question' | 'help' | 'intervals' | 'enough'
  readonly question: Question
  /** The concepts as they are listed; `probabilities` is indexed by concept. */
  readonly order: readonly number[]
  readonly probabilities: ArrayLike<number>
  readonly ticked: ReadonlySet<number>
  /** Exclusive concepts: ticking one unticks the others. */
  readonly groups: readonly ExclusiveGroup[]
  /** The highlighted position among the concepts listed. */
  readonly cursor: number
  /** The page of the document, or of the intervals. */
  readonly page: number
  /** The text typed to find a concept; undefined outside a search. */
  readonly find: string | undefined
}

/** How much fits on the screen. */
export interface ViewRoom {
  /** Concepts on the screen at once. */
  readonly listed: number
  /** Concepts in one column. */
  readonly column: number
  /** Pages of the document. */
  readonly pages: number
}

/** A key as `node:readline` gives it. */
export interface Key {
  readonly name?: string | undefined
  readonly sequence?: string | undefined
  readonly ctrl?: boolean | undefined
}

/** An action beyond changing the view. */
export type LabelAction = 'done' | 'yes' | 'no' | 'undo' | 'skip' | 'quit' | 'interrupt' | 'suspend'

/** Keys that tick the concepts on the screen, in order, without the letters used for commands. */
export const TICK_KEYS = '1234567890abcdefghjklmoprtvwxz'

/**
 * Concepts keep their order, so that hands learn the keys, unless there are more than keys: then the most probable come first,
 * since the others take a search anyway.
 */
export function openView(
  question: Question,
  probabilities: ArrayLike<number>,
  ticked: ReadonlySet<number>,
  groups: readonly ExclusiveGroup[] = []
): LabelView {
  const order = Array.from(probabilities, (_, i) => i)
  if (order.length > TICK_KEYS.length) order.sort((a, b) => probabilities[b] - probabilities[a] || a - b)
  return {screen: 'question', question, order, probabilities, ticked, groups, cursor: 0, page: 0, find: undefined}
}

/** The concepts listed: all, or those whose names contain the text typed. */
export function listed({order, find}: LabelView, concepts: readonly string[]): readonly number[] {
  const wanted = find?.trim().toLowerCase() ?? ''
  return wanted === '' ? order : order.filter(i => concepts[i].toLowerCase().includes(wanted))
}

/** The first concept on the screen: the list is shown in pages. */
export function firstListed(cursor: number, room: number): number {
  return Math.floor(cursor / Math.max(1, room)) * Math.max(1, room)
}

/** The effect of a key: a new view or an action. */
export function pressKey(
  view: LabelView,
  key: Key,
  concepts: readonly string[],
  room: ViewRoom
): LabelView | LabelAction {
  if (key.ctrl && key.name === 'c') return 'interrupt'
  if (key.ctrl && key.name === 'z') return 'suspend'
  if (view.screen !== 'question') return pressElsewhere(view, key, room)
  if (view.find !== undefined) return pressWhileFinding(view, view.find, key, concepts)
  const turned = turnPage(view, key, room)
  if (turned !== undefined) return turned
  switch (key.sequence) {
    case '?':
      return {...view, screen: 'help', page: 0}
    case 'i':
      return {...view, screen: 'intervals', page: 0}
    case 'u':
      return 'undo'
    case 's':
      return 'skip'
    case 'q':
      return 'quit'
  }
  return view.question.drawn === 'anchored' ? pressShort(view, key) : pressWhole(view, key, concepts, room)
}

function pressElsewhere(view: LabelView, key: Key, room: ViewRoom): LabelView | LabelAction {
  if (key.sequence === 'q' && view.screen === 'enough') return 'quit'
  return turnPage(view, key, room) ?? {...view, screen: 'question', page: 0}
}

function turnPage(view: LabelView, key: Key, {pages}: ViewRoom): LabelView | undefined {
  const last = Math.max(0, pages - 1)
  if (key.name === 'pagedown' || key.sequence === '>') return {...view, page: Math.min(view.page + 1, last)}
  if (key.name === 'pageup' || key.sequence === '<') return {...view, page: Math.max(Math.min(view.page, last) - 1, 0)}
  return undefined
}

function pressShort(view: LabelView, {sequence}: Key): LabelView | LabelAction {
  return sequence === 'y' ? 'yes' : sequence === 'n' ? 'no' : view
}

function pressWhole(view: LabelView, key: Key, concepts: readonly string[], room: ViewRoom): LabelView | LabelAction {
  const shown = listed(view, concepts)
  const moved = (by: number) => ({...view, cursor: Math.max(0, Math.min(view.cursor + by, shown.length - 1))})
  switch (key.name) {
    case 'return':
    case 'enter':
      return 'done'
    case 'space':
      return tick(view, shown[view.cursor])
    case 'up':
      return moved(-1)
    case 'down':
      return moved(1)
    case 'left':
      return moved(-room.column)
    case 'right':
      return moved(room.column)
  }
  if (key.sequence === '/') return {...view, find: '', cursor: 0}
  const place = key.sequence?.length === 1 ? TICK_KEYS.indexOf(key.sequence) : -1
  const at = firstListed(view.cursor, room.listed) + place
  return place < 0 || place >= room.listed || at >= shown.length ? view : {...tick(view, shown[at]), cursor: at}
}

/** During a search every character is part of the name; Enter ticks the highlighted concept. */
function pressWhileFinding(view: LabelView, find: string, key: Key, concepts: readonly string[]): LabelView {
  const shown = listed(view, concepts)
  const closed = {...view, find: undefined, cursor: 0}
  switch (key.name) {
    case 'escape':
      return closed
    case 'return':
    case 'enter':
      return shown.length === 0 ? view : tick(closed, shown[view.cursor])
    case 'backspace':
      return find === '' ? closed : {...view, find: [...find].slice(0, -1).join(''), cursor: 0}
    case 'up':
      return {...view, cursor: Math.max(0, view.cursor - 1)}
    case 'down':
      return {...view, cursor: Math.max(0, Math.min(view.cursor + 1, shown.length - 1))}
  }
  const typed = key.sequence ?? ''
  return key.ctrl || /^\p{Cc}/u.test(typed) ? view : {...view, find: find + typed, cursor: 0}
}

function tick<V extends LabelView>(view: V, concept: number | undefined): V {
  if (concept === undefined) return view
  const ticked = new Set(view.ticked)
  if (ticked.delete(concept)) return {...view, ticked}
  for (const {concepts} of view.groups) if (concepts.includes(concept)) for (const i of concepts) ticked.delete(i)
  return {...view, ticked: ticked.add(concept)}
}

/** The concepts of a group of which one must hold and none is ticked; undefined where the answer is complete. */
export function undecided({question, groups, ticked}: LabelView): readonly number[] | undefined {
  if (question.drawn === 'anchored') return undefined
  return groups.find(({atMostOne, concepts}) => !atMostOne && !concepts.some(i => ticked.has(i)))?.concepts
}

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** Everything shown besides the question. */
export interface LabelFacts {
  readonly concepts: readonly string[]
  /** The features of every concept's anchor. */
  readonly anchors: readonly (readonly string[])[]
  readonly groups?: readonly ExclusiveGroup[]
  readonly fields: readonly string[]
  readonly progress: LabelProgress
  readonly narrow: number
  readonly file: string
  /** The result of the last action. */
  readonly note: string
}
