import type {Project, SessionApi, SessionState} from '../session/index.ts'
import {openSession} from '../session/test-session.ts'
import {createStudio, emptyState, type Studio} from './store.ts'

export const readyState: SessionState = {
  ...emptyState,
  revision: 1,
  documents: 100,
  counts: {is: 'ready'},
  numbers: {is: 'ready'},
  scores: {is: 'ready'},
  isExamined: true,
  threshold: 0.44
}

/** A studio with a real session in this process. Methods that a test watches, or answers itself, come in `over`. */
export function testStudio(over: Partial<SessionApi> = {}): Studio {
  return createStudio({...openSession().api, ...over})
}

/** The same with a project of three concepts, and everything ready. */
export function demoStudio(over: Partial<SessionApi> = {}, more: Partial<Project> = {}): Studio {
  const studio = testStudio(over)
  const anchors = ['alcohol', 'fall', 'stroke'].map(concept => ({concept, any: [concept], not: [], rates: undefined}))
  studio.replace({...studio.project.value, anchors, ...more}, true)
  studio.hear({kind: 'state', state: readyState})
  return studio
}
