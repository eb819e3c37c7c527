import type {SessionApi, SessionState} from '../session/index.ts'
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
