import {expect, test} from 'vitest'
import type {Finding} from '../../use/advice/index.ts'
import type {Results, Stages} from './pipeline.ts'
import {deskState} from './state-view.ts'

const ready = {is: 'ready'} as const
const stages: Stages = {counts: ready, numbers: ready, scores: ready}

test('findings name the pages of the studio, and no commands', () => {
  const tools = ['suggestions', 'forms', 'labels', 'negation', undefined] as const
  const findings = tools.map((tool): Finding => {
    const base = {concept: 'a', severity: 'note', kind: 'rare', message: 'it is rare', evidence: {}, remedy: 'mend it'}
    return {...base, ...(tool && {tool})} as Finding
  })
  const results = {
    examined: {encoded: {revision: 1}, diagnosis: {findings}, verdict: {rates: []}}
  } as unknown as Results
  expect(deskState(undefined, 1, results, stages).findings.map(({remedy}) => remedy)).toEqual([
    'mend it (see Suggested words)',
    'mend it (see Suggested words)',
    'mend it (on the page Label)',
    'mend it',
    'mend it'
  ])
})
