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

/** The mark of a concept by these findings; one without words, or without documents to look at, is not examined. */
export function conceptMark(state: SessionState, findings: readonly Finding[], concept: string): ConceptMark {
  const known = conceptOf(state, concept)
  const [worst, ...others] = findings.filter(finding => finding.concept === concept)
  const words = worst === undefined ? '' : findingCounts([worst, ...others])
  const mark = (is: ConceptMark['is'], words: string) => ({is, sign: SIGNS[is], words})
  if (known?.refused !== undefined) return mark('fault', ['left out of the model', words].filter(Boolean).join(', '))
  if (worst !== undefined) return mark(worst.severity, words)
  return known !== undefined && isExamined(state) ? mark('ok', 'nothing found') : mark('unknown', 'not examined yet')
}

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
