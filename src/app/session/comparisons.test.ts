import {beforeAll, describe, expect, it} from 'vitest'
import {createInference} from '../../learn/inference/index.ts'
import {loadModel} from '../../learn/model/index.ts'
import {compareModels} from '../../use/comparison/index.ts'
import {readDocument} from '../../use/prediction/index.ts'
import type {Project} from '../project/index.ts'
import {sideTitle} from './comparisons.ts'
import {applyEdit} from './edits.ts'
import {demoSession, given, type TestSession, visitsOf} from './test-session.ts'

const visits = visitsOf(2000)
/** Without a choice of words a fit is quick. */
const QUICK = {words: 'noisy-or'}

async function demo() {
  const concepts = ['alcohol', 'fall', 'pneumonia', 'stroke', 'syncope']
  const {session, project} = await demoSession(concepts, {rates: given})
  return {session, project: {...project, fit: QUICK} as Project}
}

describe('comparing on the session', () => {
  let session: TestSession
  let before: Project
  let now: Project

  beforeAll(async () => {
    const opened = await demo()
    ;({session} = opened)
    await session.ready(opened.project, 1)
    before = applyEdit(opened.project, {kind: 'takeSnapshot', name: 'before', model: await session.text('model')})
    now = applyEdit(before, {kind: 'renameConcept', concept: 'alcohol', to: 'drinking'})
    now = applyEdit(now, {kind: 'addMember', concept: 'drinking', feature: 'sober'})
    await session.ready(now, 3)
  })

  it('is as compareModels gives it: a rename and a member, and nothing gone', async () => {
    const view = await session.api.compare({kind: 'snapshot', name: 'before'}, {kind: 'now'})
    const [a, b] = [`${before.snapshots?.[0].model}`, await session.text('model')].map(text => loadModel(text, 'model'))
    const {crossed, ...expected} = compareModels(a, b, {
      renamed: new Map([['alcohol', 'drinking']]),
      isSameDocuments: true
    })
    const {crossed: found, ...rest} = view.comparison
    expect(rest).toEqual(expected)
    expect([crossed, found?.length]).toEqual([undefined, found?.length])
    expect(view.comparison).toMatchObject({added: [], removed: [], renamed: [{from: 'alcohol', to: 'drinking'}]})
    expect(view.comparison.concepts.find(({was}) => was === 'alcohol')?.anchor).toEqual({gained: ['sober'], lost: []})
    expect(view.sides.map(sideTitle)).toEqual(['before', 'the model as it is'])
  })

  it('lists the documents that crossed the threshold, as predictions say', async () => {
    const {comparison, today} = await session.api.compare({kind: 'snapshot', name: 'before'}, {kind: 'now'})
    const [a, b] = [`${before.snapshots?.[0].model}`, await session.text('model')].map(text => loadModel(text, 'model'))
    const reported = (model: typeof a, concept: string) => {
      const inference = createInference(model)
      const i = model.concepts.findIndex(({name}) => name === concept)
      const threshold = model.wordModel.threshold ?? 0.5
      const probability = (visit: unknown) => inference.posterior(readDocument(model, visit)).probabilities[i]
      return visits.map(visit => Math.fround(probability(visit)) >= threshold)
    }
    const [old, fresh] = [reported(a, 'alcohol'), reported(b, 'drinking')]
    const entered = [...visits.keys()].filter(at => !old[at] && fresh[at])
    const left = [...visits.keys()].filter(at => old[at] && !fresh[at])
    expect(entered.length).toBeGreaterThan(0)
    const counts = {concept: 'drinking', entered: entered.length, left: left.length}
    expect(comparison.crossed?.find(({concept}) => concept === 'drinking')).toEqual(counts)
    expect(today.get('drinking')).toBe('drinking')
    for (const [crossed, expected] of [
      ['entered', entered],
      ['left', left]
    ] as const) {
      const list = await session.api.list({concept: 'drinking', crossed}, 0, 200)
      expect(list.total).toBe(expected.length)
      for (const {at} of list.rows) expect(expected).toContain(at)
    }
  })

  it('the other way round, a concept that was renamed is listed by its name today', async () => {
    const view = await session.api.compare({kind: 'now'}, {kind: 'snapshot', name: 'before'})
    expect(view.comparison.renamed).toEqual([{from: 'drinking', to: 'alcohol'}])
    expect(view.today.get('alcohol')).toBe('drinking')
    const {total} = await session.api.list({concept: 'drinking', crossed: 'left'}, 0, 1)
    expect(total).toBe(view.comparison.crossed?.find(({concept}) => concept === 'alcohol')?.left)
  })

  it('refuses a snapshot that has no model, or is not there', async () => {
    const {snapshots: _, ...bare} = before
    await session.ready({...now, snapshots: [{name: 'bare', project: bare, renamed: []}]}, 4)
    const refused = (name: string) => session.api.compare({kind: 'snapshot', name}, {kind: 'now'})
    await expect(refused('bare')).rejects.toThrow('the snapshot "bare" has no model; take a snapshot once')
    await expect(refused('gone')).rejects.toThrow('there is no snapshot "gone"')
    await session.ready(now, 5)
  })

  it('knows when a snapshot is of other documents', async () => {
    const [snapshot] = now.snapshots ?? []
    const others = {...snapshot, project: {...snapshot.project, documents: {files: ['old.csv'], count: 7, hash: 'x'}}}
    await session.ready({...now, snapshots: [others]}, 6)
    const {comparison} = await session.api.compare({kind: 'snapshot', name: 'before'}, {kind: 'now'})
    expect(comparison.isSameDocuments).toBe(false)
    await session.ready(now, 7)
  })

  it('a snapshot changes no result: nothing is computed again', async () => {
    const count = session.states.length
    await session.set(applyEdit(now, {kind: 'takeSnapshot', name: 'again', model: undefined}), 8)
    expect(session.states.slice(count).map(({revision, scores}) => `${revision} ${scores.is}`)).toEqual(['8 ready'])
    await session.set(now, 9)
  })
})

describe('comparing refuses and stops', () => {
  it('before the numbers are ready, and before anything is compared', async () => {
    const {session, project} = await demo()
    await expect(session.api.compare({kind: 'now'}, {kind: 'now'})).rejects.toThrow(/there is no project yet/)
    await session.set(project, 1)
    await expect(session.api.compare({kind: 'now'}, {kind: 'now'})).rejects.toThrow(/not ready/)
    await session.ready(project, 2)
    await expect(session.api.list({concept: 'alcohol', crossed: 'entered'}, 0, 1)).rejects.toThrow(/compare/i)
  })

  it('stopped, by the next one too, nothing of the model is lost', async () => {
    const {session, project} = await demo()
    await session.ready(project, 1)
    await session.set(applyEdit(project, {kind: 'takeSnapshot', name: 'a', model: await session.text('model')}), 2)
    const compare = () => session.api.compare({kind: 'snapshot', name: 'a'}, {kind: 'now'})
    const refused = expect(compare()).rejects.toThrow(/stopped/)
    const cancelled = expect(compare()).rejects.toThrow(/stopped/)
    await session.api.cancel()
    await refused
    await cancelled
    expect(session.state().numbers.is).toBe('ready')
  })
})
