import {beforeEach, expect, test} from 'vitest'
import {learn} from '../../learn/learn.ts'
import {saveModel} from '../../learn/model/index.ts'
import {edgeKey} from '../../use/facts/index.ts'
import {learnOptionsOf, type Project} from '../project/index.ts'
import {demoSession, pause, type TestSession, visitsOf} from './test-session.ts'

const visits = visitsOf(600)
const edges = {require: [['fall', 'pneumonia']], forbid: [['alcohol', 'fall']]} as const

let session: TestSession
let project: Project
/** How long each resampling waits before it begins. */
let delay = 0

beforeEach(async () => {
  delay = 0
  const demo = await demoSession(['alcohol', 'fall', 'pneumonia', 'sepsis'], {
    documents: 600,
    around: api => ({...api, resample: (...args) => pause(delay).then(() => api.resample(...args))})
  })
  ;({session} = demo)
  project = {...demo.project, edges}
  await session.ready(project, 1)
})

test('resample(...) finds the shares of adfa fit --intervals, and leaves the model as it is', async () => {
  const before = await session.text('model')
  expect((await session.api.graph()).links.some(({confidence}) => confidence !== undefined)).toBe(false)
  const graph = await session.api.resample(12)
  const options = {...learnOptionsOf(project), intervals: 12}
  const slow = await learn(visits, project.anchors, options)
  const shares = new Map(
    slow.certificate.intervals?.edges.map(({parent, child, confidence}) => [edgeKey(parent, child), confidence])
  )
  const nameOf = (i: number) => graph.concepts[i].name
  expect(graph.links.length).toBeGreaterThan(0)
  for (const {a, b, confidence} of graph.links) expect(confidence).toBe(shares.get(edgeKey(nameOf(a), nameOf(b))))
  expect(graph.links.map(({a, b}) => edgeKey(nameOf(a), nameOf(b)))).toContain(edgeKey('fall', 'pneumonia'))
  expect(await session.text('model')).toBe(before)
  expect(before).toBe(saveModel(await learn(visits, project.anchors, learnOptionsOf(project))))
  expect(await session.api.graph()).toEqual(graph)
  // The thread of the fit does it, and the same shares are not sought twice.
  expect(session.solvers).toEqual({started: 1, ended: 0})
  const told = session.progress.length
  await session.api.resample(12)
  expect(session.progress.length).toBe(told)
  expect(session.progress.map(({words}) => words)).toContain('resampling for intervals')
  expect(session.progress.at(-1)?.share).toBe(1)
})

test('cancel() ends it and keeps the shares from before, and what else runs', async () => {
  const {links} = await session.api.resample(5)
  delay = 100_000
  const running = session.api.resample(7)
  await session.api.cancel()
  await expect(running).rejects.toMatchObject({code: 'cancelled', message: expect.stringContaining('was stopped')})
  expect(session.state()).toMatchObject({numbers: {is: 'ready'}, scores: {is: 'ready'}})
  expect((await session.api.graph()).links).toEqual(links)
  expect(session.solvers).toEqual({started: 1, ended: 1})
})

test('an edit ends it; the shares go with the model that they are of', async () => {
  await session.api.resample(5)
  delay = 100_000
  const running = session.api.resample(7)
  const next = session.ready({...project, fit: {seed: 2}}, 2)
  await expect(running).rejects.toMatchObject({code: 'cancelled'})
  expect((await session.api.graph()).links[0]).toHaveProperty('confidence')
  await expect(session.api.resample(5)).rejects.toThrow('the model is not ready; wait for the fit')
  await next
  const {revision, links} = await session.api.graph()
  expect([revision, links[0].confidence]).toEqual([2, undefined])
})

test('a later call ends the one before, and a refusal leaves the session as it is', async () => {
  delay = 100_000
  const first = session.api.resample(5)
  delay = 0
  const second = session.api.resample(6)
  await expect(first).rejects.toMatchObject({code: 'cancelled'})
  expect((await second).links[0]).toHaveProperty('confidence')
  await expect(session.api.resample(0)).rejects.toMatchObject({code: 'bad-option'})
  expect((await session.api.graph()).links[0]).toHaveProperty('confidence')
})
