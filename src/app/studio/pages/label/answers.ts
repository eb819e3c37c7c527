import {counted} from '../../../../base/text/index.ts'
import type {Anchors} from '../../../../read/data/index.ts'
import type {QuestionView} from '../../../session/index.ts'

/** Differs from that of every other question. */
export function questionName({at, drawn, concepts}: QuestionView): string {
  return JSON.stringify([at, drawn, drawn === 'anchored' ? concepts[0]?.name : ''])
}

/** The ticks after one more is set or taken away; of concepts that exclude each other, one is left. */
export function tickedAfter(ticked: ReadonlySet<string>, concept: string, anchors: Anchors): ReadonlySet<string> {
  const groupOf = (name: string) => anchors.find(anchor => anchor.concept === name)?.exclusive?.group
  const group = groupOf(concept)
  const others = [...ticked].filter(name => name !== concept)
  if (ticked.has(concept)) return new Set(others)
  return new Set([...others.filter(name => group === undefined || groupOf(name) !== group), concept])
}

/** "label emergency-000146: 2 concepts". */
export function answerWords({name, drawn, concepts}: QuestionView, present: readonly string[] | 'skip'): string {
  if (present === 'skip') return `skip ${name}`
  if (drawn === 'anchored') return `label ${name}: ${concepts[0]?.name} ${present.length > 0 ? 'yes' : 'no'}`
  return `label ${name}: ${present.length === 0 ? 'no concept' : counted(present.length, 'concept')}`
}

/** Keys that tick the concepts, in order; `s` and `u` are commands. */
export const TICK_KEYS = '123456789abcdefghijklmnopqrtvwxyz'

export type LabelAction = 'done' | 'yes' | 'no' | 'skip' | 'undo' | {readonly tick: number}

/** What a key does for a question with so many ticks, of which a short question has none; undefined where it does nothing. */
export function labelAction(key: string, ticks: number): LabelAction | undefined {
  if (key === 's') return 'skip'
  if (key === 'u') return 'undo'
  if (ticks === 0) return key === 'y' ? 'yes' : key === 'n' ? 'no' : undefined
  if (key === 'Enter') return 'done'
  const at = key.length === 1 ? TICK_KEYS.indexOf(key) : -1
  return at >= 0 && at < ticks ? {tick: at} : undefined
}
