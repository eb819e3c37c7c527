import type {Readable, Writable} from 'node:stream'
import {autocompleteMultiselect, log, multiselect, note, select} from '@clack/prompts'
import {counted, nameList, withoutControls} from '../../../base/text/index.ts'
import {createFeaturePlacer, type ExclusiveGroup, exclusiveGroups, type Lexicon} from '../../../read/data/index.ts'
import type {LabelSession, Question} from '../../../use/labelling/index.ts'
import {goalText, knownText, labelledText} from '../../present/index.ts'
import {answered} from '../ask.ts'
import {colours} from '../output.ts'

/** The terminal; a signal ends the question that is open. */
interface Streams {
  readonly input?: Readable
  readonly output: Writable
  readonly signal?: AbortSignal
}

interface Dialogue {
  readonly session: LabelSession
  readonly lexicon: Lexicon
  /** Intervals narrower than this factor are enough. */
  readonly narrow: number
  /** Saves the rows of the session; awaited before the next question. */
  readonly save: () => Promise<void>
  readonly streams: Streams
}

/** What can be said instead of an answer. */
const OTHERS = {
  unsure: 'unsure: leave this out',
  undo: 'undo the last answer',
  stop: 'stop'
} as const

type Other = keyof typeof OTHERS

/** The concepts that are present, or something else. */
type Answer = ReadonlySet<number> | Other

/** Asks until nothing is left or the person stops; refused on Ctrl-C, Escape or a signal. */
export async function runDialogue({session, lexicon, narrow, save, streams}: Dialogue): Promise<void> {
  const place = createFeaturePlacer(lexicon)
  const groups = exclusiveGroups(lexicon.anchors)
  if (session.rows.length > 0) log.info(`continuing after ${counted(session.rows.length, 'answer')}`, streams)
  for (let {question} = session; question !== undefined; question = session.question) {
    const before = session.progress()
    log.step(`${labelledText(before)}; ${knownText(before)}`, streams)
    showDocument(question, session.concepts, place, streams)
    const answer = await (question.drawn === 'random'
      ? askWhole(session, groups, streams)
      : askShort(session, question.concept, streams))
    if (answer === 'stop') return
    if (answer === 'undo') session.undo()
    else if (answer === 'unsure') session.skip()
    else session.answer(answer)
    await save()
    const after = session.progress()
    if (after.enough !== undefined && before.enough === undefined && session.question !== undefined)
      log.success(`${goalText(after, narrow)}. Stop here, or continue for narrower intervals.`, streams)
  }
}

const SAVED = 'stopped; every answer is saved: run the same command to continue'

/** The text of a document; anchors are marked where colours are, of a short question those of its concept alone. */
function showDocument(
  question: Question,
  concepts: readonly string[],
  place: ReturnType<typeof createFeaturePlacer>,
  streams: Streams
): void {
  const {row} = question.document
  const asked = question.drawn === 'random' ? undefined : concepts[question.concept]
  const parts = place(row)
  const texts = parts.map(({field, isText, spans}) => {
    const shown = spans.map(({text, kind, concepts: own = []}) => {
      const isMarked = kind === 'anchor' && (asked === undefined || own.includes(asked))
      return isMarked ? colours.cyan(colours.bold(withoutControls(text))) : withoutControls(text)
    })
    const text = shown.join(isText ? '' : ', ').trim()
    return parts.length === 1 ? text : `${colours.dim(`${withoutControls(field)}:`)} ${text}`
  })
  note(texts.length === 0 ? 'an empty document' : texts.join('\n'), lineOf(String(row.id ?? '')), streams)
}

/** More concepts than these are found by typing a part of their names. */
const MANY = 12
/** Rows of the list, so that the document above it stays on a screen of 24 rows. */
const LISTED = 8

/** Asks which concepts a document has, again where they exclude each other or one of them must hold. */
async function askWhole(session: LabelSession, groups: readonly ExclusiveGroup[], streams: Streams): Promise<Answer> {
  const {concepts} = session
  const ask = concepts.length > MANY ? autocompleteMultiselect : multiselect
  const options = [
    ...concepts.map((name, i) => ({value: i as number | Other, label: lineOf(name)})),
    ...othersOf(session).map(value => ({value, label: colours.dim(OTHERS[value])}))
  ]
  let ticked: readonly number[] = [...session.preset]
  for (;;) {
    const shown = {options, initialValues: [...ticked], maxItems: LISTED, required: false, ...streams}
    const given = answered(await ask<number | Other>({message: 'Which concepts does it have?', ...shown}), SAVED)
    const other = given.find(value => typeof value === 'string')
    if (other !== undefined) return other
    ticked = given.filter(value => typeof value === 'number')
    const fault = groupFault(new Set(ticked), groups, concepts)
    if (fault === undefined) return new Set(ticked)
    log.warn(fault, streams)
  }
}

/** What is wrong with these concepts of exclusive groups. */
function groupFault(
  ticked: ReadonlySet<number>,
  groups: readonly ExclusiveGroup[],
  names: readonly string[]
): string | undefined {
  for (const {atMostOne, concepts} of groups) {
    const present = concepts.filter(i => ticked.has(i))
    if (present.length > 1) return `${namesOf(present, names)} exclude each other: tick one of them`
    if (present.length === 0 && !atMostOne) return `one of ${namesOf(concepts, names)} holds: tick it, or "unsure"`
  }
  return undefined
}

async function askShort(session: LabelSession, concept: number, streams: Streams): Promise<Answer> {
  const message = `Does this document have "${lineOf(session.concepts[concept])}"? Its anchor fires here.`
  const others = othersOf(session).map(value => ({value, label: OTHERS[value]}))
  const options = [{value: 'yes' as const}, {value: 'no' as const}, ...others]
  const given = answered(await select<'yes' | 'no' | Other>({message, options, ...streams}), SAVED)
  return given === 'yes' ? new Set([concept]) : given === 'no' ? new Set() : given
}

function othersOf({rows}: LabelSession): Other[] {
  return rows.length > 0 ? ['unsure', 'undo', 'stop'] : ['unsure', 'stop']
}

function namesOf(concepts: readonly number[], names: readonly string[]): string {
  return nameList(concepts.map(i => names[i]))
}

/** Names in one line, without what controls a terminal. */
function lineOf(name: string): string {
  return withoutControls(name).replaceAll('\n', ' ')
}
