import type {Anchors} from '../../../read/data/index.ts'
import {type Finding, mendOf} from '../../../use/advice/index.ts'
import {findingCounts} from '../../present/index.ts'
import type {ConceptState, SessionState} from '../../session/index.ts'

/** What the doctor says of a concept, worst first: a sign by shape, and the words for it. */
export interface ConceptMark {
  readonly is: 'fault' | 'warning' | 'note' | 'ok' | 'unknown'
  readonly sign: string
  readonly words: string
}

const SIGNS = {fault: '✕', warning: '!', note: 'i', ok: '✓', unknown: '·'} as const

/** The mark of each concept that the session knows. */
export function conceptMarks(state: SessionState): ReadonlyMap<string, ConceptMark> {
  const {concepts, findings} = state
  const isDone = isExamined(state)
  return new Map(
    concepts.map(({name, refused}) => [
      name,
      markOf(
        findings.filter(({concept}) => concept === name),
        refused,
        isDone
      )
    ])
  )
}

function markOf(findings: readonly Finding[], refused: string | undefined, isDone: boolean): ConceptMark {
  const words = findingCounts(findings)
  if (refused !== undefined) return mark('fault', ['left out of the model', words].filter(Boolean).join(', '))
  // The worst finding comes first.
  if (findings.length > 0) return mark(findings[0].severity, words)
  return isDone ? mark('ok', 'nothing found') : unknownMark
}

function mark(is: ConceptMark['is'], words: string): ConceptMark {
  return {is, sign: SIGNS[is], words}
}

/** Of a concept without words, or without documents to look at. */
export const unknownMark = mark('unknown', 'not examined yet')

/** Whether the doctor has looked at the anchors, perhaps before the last edit: until then nothing is said of them. */
export function isExamined({numbers, isExamined: isDone}: SessionState): boolean {
  return isDone && numbers.is !== 'none'
}

/** Findings that still stand: what is mended is gone before the doctor has looked again. */
export function openFindings({findings}: SessionState, anchors: Anchors): readonly Finding[] {
  const isThere = (concept: string, feature: string) =>
    anchors.some(anchor => anchor.concept === concept && anchor.any.includes(feature))
  return findings.filter(finding => {
    const mend = mendOf(finding)
    if (mend === undefined || mend.kind === 'negation') return true
    return isThere(mend.kind === 'remove' ? mend.concept : mend.from, mend.feature)
  })
}

/** Whether the probabilities of a concept are scores that only rank documents, since nobody measured its rates. */
export function isScored({concepts}: SessionState, concept: string | undefined): boolean {
  return concepts.some(({name, rates}) => name === concept && rates === undefined)
}

/** The share where tracks of prevalences end: the same for all concepts, so that they can be compared. */
export function greatestShare({concepts}: SessionState): number {
  return Math.max(0.01, ...concepts.map(({rates}) => rates?.prevalence.high ?? 0))
}

/** What the session knows of a concept. */
export function conceptOf({concepts}: SessionState, concept: string | undefined): ConceptState | undefined {
  return concepts.find(({name}) => name === concept)
}
