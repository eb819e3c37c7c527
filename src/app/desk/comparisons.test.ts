import {beforeAll, describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {fit} from '../../learn/fit.ts'
import {learn} from '../../learn/learn.ts'
import {loadModel} from '../../learn/model/index.ts'
import type {PolytopeName} from '../../learn/moments/index.ts'
import {loadSolvers} from '../../learn/solvers.ts'
import {countsFromBytes} from '../../read/counts/index.ts'
import {anchorsToJson} from '../../read/data/index.ts'
import {compareModels} from '../../use/comparison/index.ts'
import {predictDocument} from '../../use/prediction/index.ts'
import {drawChart} from '../../use/report/index.ts'
import {emergencyModel, generateDocuments} from '../../use/synthetic/index.ts'
import {comparisonChart, gapChart} from './comparison-views.ts'
import {applyEdit} from './edits.ts'
import {learnAnchorsOf, learnOptionsOf} from './learn-options.ts'
import type {Project} from './project.ts'
import {emptyProject, openDesk, pause, type TestDesk} from './test-desk.ts'

const VISITS = 2000
const visits = [...generateDocuments(emergencyModel(), VISITS, rng(0).stream('documents'))]
const POLYTOPES: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']

async function demo(options: Parameters<typeof openDesk>[0] = {}): Promise<{desk: TestDesk; project: Project}> {
  const desk = openDesk({documents: VISITS, ...options})
  const {reading, anchors = []} = await desk.api.demo()
  const {hash, documents: count} = await desk.api.open(reading)
  const some = anchors
    .filter(({concept}) => ['alcohol', 'fall', 'pneumonia', 'stroke', 'syncope'].includes(concept))
    .map(anchor => ({...anchor, rates: {kind: 'rates', truePositive: 0.7, falsePositive: 0.01} as const}))
  return {
    desk,
    project: {...emptyProject, reading, anchors: some, documents: {files: ['visits.jsonl'], count, hash}}
  }
}

const modelText = async (desk: TestDesk) =>
  new TextDecoder().decode(Buffer.concat((await desk.api.export('model')).parts))

describe('comparing on the desk', () => {
  let desk: TestDesk
  let before: Project
  let now: Project

  beforeAll(async () => {
    const opened = await demo()
    ;({desk} = opened)
    await desk.ready(opened.project, 1)
    before = applyEdit(opened.project, {kind: 'takeSnapshot', name: 'before', model: await modelText(desk)})
    now = applyEdit(before, {kind: 'renameConcept', concept: 'alcohol', to: 'drinking'})
    now = applyEdit(now, {kind: 'addMember', concept: 'drinking', feature: 'sober'})
    await desk.ready(now, 3)
  })

  it('is as compareModels gives it: a rename and a member, and nothing gone', async () => {
    const view = await desk.api.compare({kind: 'snapshot', name: 'before'}, {kind: 'now'})
    const [a, b] = [`${before.snapshots?.[0].model}`, await modelText(desk)].map(text => loadModel(text, 'model'))
    const {crossed, ...expected} = compareModels(a, b, {
      renamed: new Map([['alcohol', 'drinking']]),
      isSameDocuments: true
    })
    const {crossed: found, ...rest} = view.comparison
    expect(rest).toEqual(expected)
    expect([crossed, found?.length]).toEqual([undefined, found?.length])
    expect(view.comparison).toMatchObject({added: [], removed: [], renamed: [{from: 'alcohol', to: 'drinking'}]})
    expect(view.comparison.concepts.find(({was}) => was === 'alcohol')?.anchor).toEqual({gained: ['sober'], lost: []})
    expect(view.notes).toEqual([expect.stringContaining('err alike')])
    expect(view.today).toContainEqual(['drinking', 'drinking'])
  })

  it('lists the documents that crossed the threshold, as predictions say', async () => {
    const {comparison} = await desk.api.compare({kind: 'snapshot', name: 'before'}, {kind: 'now'})
    const [a, b] = [`${before.snapshots?.[0].model}`, await modelText(desk)].map(text => loadModel(text, 'model'))
    const [old, fresh] = visits
      .map(visit => predictDocument(a, visit))
      .map((p, at) => [p, predictDocument(b, visits[at])] as const)
      .reduce(
        ([xs, ys], [x, y]) => [
          [...xs, x.alcohol],
          [...ys, y.drinking]
        ],
        [[], []] as [number[], number[]]
      )
    const threshold = (model: typeof a) => model.wordModel.threshold ?? 0.5
    const has = (p: number, model: typeof a) => Math.fround(p) >= threshold(model)
    const entered = visits.flatMap((_, at) => (!has(old[at], a) && has(fresh[at], b) ? [at] : []))
    const left = visits.flatMap((_, at) => (has(old[at], a) && !has(fresh[at], b) ? [at] : []))
    expect(entered.length).toBeGreaterThan(0)
    expect(comparison.crossed?.find(({concept}) => concept === 'drinking')).toEqual({
      concept: 'drinking',
      entered: entered.length,
      left: left.length
    })
    for (const [crossed, expected] of [
      ['entered', entered],
      ['left', left]
    ] as const) {
      const list = await desk.api.list({concept: 'drinking', crossed}, 0, 200)
      expect(list.rows.map(({at}) => at).sort((x, y) => x - y)).toEqual(expected.slice(0, 200))
    }
  })

  it('the other way round, a concept that was renamed is listed by its name today', async () => {
    const view = await desk.api.compare({kind: 'now'}, {kind: 'snapshot', name: 'before'})
    expect(view.comparison.renamed).toEqual([{from: 'drinking', to: 'alcohol'}])
    expect(view.today).toContainEqual(['alcohol', 'drinking'])
    const {total} = await desk.api.list({concept: 'drinking', crossed: 'left'}, 0, 1)
    expect(total).toBe(view.comparison.crossed?.find(({concept}) => concept === 'alcohol')?.left)
  })

  it('learns the project with other settings, to the byte, and keeps the model as it is', async () => {
    const kept = await modelText(desk)
    const words: string[] = []
    const {comparison} = await desk.api.compare({kind: 'now'}, {kind: 'fit', fit: {structure: 'tree'}})
    const other = await learn(visits, learnAnchorsOf(now), learnOptionsOf({...now, fit: {structure: 'tree'}}))
    const {crossed: _, ...found} = comparison
    expect(found).toEqual(compareModels(loadModel(kept, 'model'), other, {isSameDocuments: true}))
    expect(await modelText(desk)).toBe(kept)
    expect(desk.state().numbers.is).toBe('ready')
    expect(words).toEqual([])
  })

  it('learns a snapshot that has no model, and refuses one that reads otherwise', async () => {
    const {snapshots: _, ...bare} = before
    const with2 = {
      ...now,
      snapshots: [
        {name: 'bare', project: bare, renamed: [['alcohol', 'drinking']]},
        {name: 'other', project: {...bare, reading: {...bare.reading, keepCase: true}}, renamed: []}
      ]
    } satisfies Project
    await desk.ready(with2, 4)
    const {comparison} = await desk.api.compare({kind: 'snapshot', name: 'bare'}, {kind: 'now'})
    expect(comparison.renamed).toEqual([{from: 'alcohol', to: 'drinking'}])
    await expect(desk.api.compare({kind: 'snapshot', name: 'other'}, {kind: 'now'})).rejects.toThrow(
      /has no model, and documents are read otherwise today/
    )
    await expect(desk.api.compare({kind: 'snapshot', name: 'gone'}, {kind: 'now'})).rejects.toThrow(
      /there is no snapshot "gone"/
    )
    await desk.ready(now, 5)
  })

  it('says when a snapshot is of other documents', async () => {
    const [snapshot] = now.snapshots ?? []
    const others = {...snapshot, project: {...snapshot.project, documents: {files: ['old.csv'], count: 7, hash: 'x'}}}
    await desk.ready({...now, snapshots: [others]}, 6)
    const {notes, comparison} = await desk.api.compare({kind: 'snapshot', name: 'before'}, {kind: 'now'})
    expect(notes[0]).toMatch(/^Snapshot before: the project was made with 7 documents of old\.csv; these are 2,000/)
    expect(notes[1]).not.toContain('err alike')
    expect(comparison.isSameDocuments).toBe(false)
    await desk.ready(now, 7)
  })

  it('a snapshot changes no result: nothing is computed again', async () => {
    const count = desk.states.length
    await desk.api.setProject(applyEdit(now, {kind: 'takeSnapshot', name: 'again', model: undefined}), 8)
    expect(desk.states.slice(count).map(({revision, scores}) => `${revision} ${scores.is}`)).toEqual(['8 ready'])
    await desk.api.setProject(now, 9)
  })

  it('prevalences of both sides become a chart', async () => {
    const {comparison} = await desk.api.compare({kind: 'snapshot', name: 'before'}, {kind: 'now'})
    const chart = comparisonChart(comparison, ['before', 'now'])
    expect(chart?.panels.map(({title}) => title)).toEqual(['A: before', 'B: now'])
    expect(chart && drawChart(chart)).toContain('drinking')
    expect(comparisonChart({...comparison, concepts: []}, ['a', 'b'])).toBeUndefined()
  })

  it.each(POLYTOPES)('the %s polytope has the certificate of the library', async name => {
    const view = await desk.api.polytope(name)
    const {parts} = await desk.api.export('counts')
    const counts = countsFromBytes(Buffer.concat(parts))
    const {moments} = fit(counts, {polytope: name}, {solvers: await loadSolvers()}).certificate
    const {seconds, ...certificate} = view.certificate ?? {}
    expect(certificate).toEqual(moments)
    expect(seconds).toBeGreaterThan(0)
    expect(view.history.at(-1)).toEqual({seconds, objective: moments.objective, gap: moments.gap})
    expect(view.moved).toHaveLength(name === 'simplex' ? 0 : 5)
    const sizes = view.moved.map(({simplex, here}) => Math.abs(simplex - here))
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  })

  it('the objective rises from polytope to polytope, within the gaps', async () => {
    const views = []
    for (const name of POLYTOPES) views.push(await desk.api.polytope(name))
    views.forEach(({certificate}, at) => {
      const next = views[at + 1]?.certificate
      if (certificate && next) expect(next.objective).toBeGreaterThanOrEqual(certificate.lowerBound)
    })
    const chart = gapChart(views)
    expect(chart?.panels[0].series.map(({name}) => name)).toEqual(expect.arrayContaining(['local', 'marginal']))
    expect(chart && drawChart(chart)).toContain('<svg')
    expect(gapChart([{polytope: 'local', history: [], moved: []}])).toBeUndefined()
  })
})

describe('comparing refuses and stops', () => {
  it('before the numbers are ready, and with a method that needs HiGHS', async () => {
    const {desk, project} = await demo()
    await expect(desk.api.compare({kind: 'now'}, {kind: 'now'})).rejects.toThrow(/there is no project yet/)
    await desk.api.setProject(project, 1)
    await expect(desk.api.compare({kind: 'now'}, {kind: 'now'})).rejects.toThrow(/the numbers are not ready/)
    await desk.ready({...project, fit: {solver: 'conditional-gradient', polytope: 'simplex'}}, 2)
    await expect(desk.api.polytope('local')).rejects.toThrow(
      /needs the solver HiGHS, which the studio does not have; learn the model with: adfa fit visits\.jsonl .*--polytope local/
    )
    await expect(desk.api.list({concept: 'alcohol', crossed: 'entered'}, 0, 1)).rejects.toThrow(/compare/i)
  })

  it('one at a time; stopped, a polytope has what was proven by then', async () => {
    let emitted: (() => void) | undefined
    const {desk, project} = await demo({
      around: api => ({
        ...api,
        polytope: task =>
          task.polytope === 'marginal' ? pause(100_000).then(() => api.polytope(task)) : api.polytope(task),
        learnTask: task => pause(100_000).then(() => api.learnTask(task))
      })
    })
    await desk.ready(project, 1)
    const stopped = desk.api.polytope('marginal')
    await expect(desk.api.polytope('local')).rejects.toThrow(/a comparison is under way/)
    await desk.api.cancel()
    expect(await stopped).toEqual({polytope: 'marginal', history: [], moved: []})
    expect((await desk.api.polytope('local')).certificate?.status).toBe('optimal')
    const learning = desk.api.compare({kind: 'now'}, {kind: 'fit', fit: {structure: 'tree'}})
    await pause(10)
    await desk.api.cancel()
    await expect(learning).rejects.toThrow(/stopped/)
    expect(desk.state().numbers.is).toBe('ready')
    expect(emitted).toBeUndefined()
    expect(Object.keys(anchorsToJson(project.anchors))).toHaveLength(5)
  })
})
