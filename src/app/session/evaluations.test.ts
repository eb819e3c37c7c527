import {beforeAll, describe, expect, it} from 'vitest'
import {asLines, emergencyVisits} from '../../../test/emergency-visits.ts'
import {testFolder} from '../cli/test-run.ts'
import type {Project} from '../project/index.ts'
import type {EvaluationView} from './evaluation-view.ts'
import type {SolverApi} from './solver.ts'
import {labelRow} from './test-project.ts'
import {adfaThere, file, fileSession, pause, type TestSession} from './test-session.ts'

const folder = testFolder()

const CONCEPTS = {
  alcohol: ['etoh', 'intoxicated'],
  stroke: ['stroke', 'cva'],
  fall: ['mechanical fall', 'fell down'],
  cellulitis: ['cellulitis', 'skin infection']
}
const anchors = Object.entries(CONCEPTS).map(([concept, any]) => ({concept, any, not: [], rates: undefined}))
const visits = emergencyVisits(1600, 3)
const untagged = visits.map(({tags: _, ...visit}) => visit)

/** A session with documents, and a model of them. */
const sessionWith = (content: string, reading: Project['reading'], more: Partial<Project> = {}) =>
  fileSession([file('visits.jsonl', content)], {reading, anchors, ...more})

async function writeModel(session: TestSession): Promise<void> {
  folder.write('model.json', await session.text('model'))
}

const adfa = (...args: string[]) => adfaThere(folder, ...args)

/** What `adfa evaluate --json` prints, less the figures of concepts by other methods. */
async function adfaEvaluate(...args: string[]) {
  const {untagged, filtered, learnedShare, ...evaluation} = JSON.parse(await adfa('evaluate', ...args, '--json'))
  for (const own of Object.values<{perConcept: unknown[]}>(evaluation.baselines)) own.perConcept = []
  return evaluation
}

function figuresOf({figures}: EvaluationView) {
  if (figures?.by !== 'tags') throw new Error('there are no figures by tags')
  return figures
}

/** As JSON has them. */
function evaluationOf(view: EvaluationView) {
  return JSON.parse(JSON.stringify(figuresOf(view).evaluation))
}

const methodsOf = (view: EvaluationView) => ['this model', ...Object.keys(figuresOf(view).evaluation.baselines)]

const reading = {text: ['text'], holdOut: true}

describe('an evaluation on documents that are held out', () => {
  const content = asLines(visits)
  let session: TestSession
  let project: Project
  let view: EvaluationView

  beforeAll(async () => {
    folder.write('visits.jsonl', content)
    ;({session, project} = await sessionWith(content, reading))
    await writeModel(session)
    view = await session.api.evaluate({})
  })

  it('has the figures of adfa evaluate, digit for digit', async () => {
    expect(view.on).toBe('heldOut')
    expect(evaluationOf(view)).toEqual(await adfaEvaluate('model.json', 'visits.jsonl', '--hold-out'))
  })

  it('has for each concept its mistakes, which are documents that can be read and explained', async () => {
    const isTag = (id: string, name: keyof typeof CONCEPTS, probability: number) =>
      probability >= 0.97 || visits.some(visit => visit.id === id && CONCEPTS[name].some(it => visit.text.includes(it)))
    const tagsOf = new Map(visits.map(({id, tags}) => [id, tags]))
    for (const [i, {concept: name, tags}] of figuresOf(view).evaluation.perConcept.entries()) {
      const {alarms, misses} = view.mistakes[i]
      for (const [wrong, count] of [
        ['alarm', alarms],
        ['miss', misses]
      ] as const) {
        const {total, rows} = await session.api.list({concept: name, wrong}, 0, 200)
        expect(total).toBe(count)
        for (const {name: id, probability = -1} of rows) {
          expect(tagsOf.get(id)?.includes(name)).toBe(wrong === 'miss')
          expect(isTag(id, name as keyof typeof CONCEPTS, probability)).toBe(wrong === 'alarm')
        }
        const [first] = rows
        if (first === undefined) continue
        const read = await session.api.document(first.at)
        expect(read.name).toBe(first.name)
        expect(read.concepts.find(one => one.name === name)?.probability).toBeCloseTo(first.probability ?? -1, 9)
        const {explanation} = await session.api.explain(first.at, name, {})
        expect(explanation.probability).toBeCloseTo(first.probability ?? -1, 9)
      }
      expect(misses).toBeLessThanOrEqual(tags)
    }
    const {rows} = await session.api.list({concept: 'alcohol'}, 0, 200)
    expect(rows.every(({at}) => at < session.state().documents)).toBe(true)
  })

  it('is kept until the model changes', async () => {
    expect(await session.api.evaluate({})).toBe(view)
    await session.ready({...project, fit: {words: 'noisy-or'}}, 2)
    const other = await session.api.evaluate({})
    expect(methodsOf(other)).toEqual(['this model', 'prior', 'anchors-only'])
    await session.ready(project, 3)
  })

  it('has the baselines of --train --baselines; ceilings are never the best', async () => {
    const trained = await session.api.evaluate({isTrained: true})
    const options = ['--train', 'visits.jsonl', '--baselines', '--hold-out']
    expect(evaluationOf(trained)).toEqual(await adfaEvaluate('model.json', 'visits.jsonl', ...options))
    expect([trained.training, view.training]).toEqual(['done', 'possible'])
    expect(await session.api.evaluate({})).toBe(trained)
    for (const {methods} of Object.values(figuresOf(trained).evaluation.best)) expect(methods).not.toContain('oracle')
  }, 120_000)

  it('takes tagged documents of another file', async () => {
    const others = asLines(emergencyVisits(500, 11).map(({id, ...visit}) => ({...visit, id: `n${id}`})))
    folder.write('others.jsonl', others)
    const judged = await session.api.evaluate({on: 'file'}, [file('others.jsonl', others)])
    expect(evaluationOf(judged)).toEqual(await adfaEvaluate('model.json', 'others.jsonl'))
    expect(judged.choices.map(({on}) => on)).toEqual(['file', 'heldOut', 'learned'])
    const missed = judged.mistakes.findIndex(({misses}) => misses > 0)
    const {concept} = figuresOf(judged).evaluation.perConcept[missed]
    const {rows} = await session.api.list({concept, wrong: 'miss'}, 0, 5)
    expect(rows[0].name).toMatch(/^n/)
    const bare = file('bare.jsonl', asLines(untagged.slice(0, 9)))
    await expect(session.api.evaluate({on: 'file'}, [bare])).rejects.toThrow(
      /bare.jsonl: no document has tags or labels/
    )
  })
})

describe('an evaluation of documents without tags', () => {
  it('has no figures', async () => {
    const {session} = await sessionWith(asLines(untagged), {text: ['text']})
    const view = await session.api.evaluate({})
    expect(view).toEqual({
      ...{on: 'none', files: [], mistakes: [], training: 'by tags only'},
      choices: [{on: 'none', documents: 0}]
    })
    await expect(session.api.list({concept: 'fall', wrong: 'miss', lacks: ''}, 0, 5)).resolves.toMatchObject({total: 0})
  })

  it('has F1, precision and recall with intervals from labels, as adfa evaluate --labels has them', async () => {
    const names = Object.keys(CONCEPTS)
    const labels = visits
      .filter((_, at) => at % 60 === 0)
      .map(({id, tags}) => labelRow(id, Object.fromEntries(names.map(name => [name, tags.includes(name)]))))
    folder.write('notes.jsonl', asLines(untagged))
    const {session} = await sessionWith(asLines(untagged), {text: ['text']}, {labels})
    await writeModel(session)
    folder.write('labels.jsonl', await session.text('labels'))
    const view = await session.api.evaluate({})
    const found = await adfa('evaluate', 'model.json', 'notes.jsonl', '--labels', 'labels.jsonl', '--json')
    expect(view.on).toBe('labels')
    expect(JSON.parse(JSON.stringify(view.figures?.evaluation))).toEqual(JSON.parse(found))
    const {concepts = []} = view.figures?.by === 'labels' ? view.figures.evaluation : {}
    expect(view.mistakes).toEqual(concepts.map(({alarms, misses}) => ({alarms, misses})))
  })
})

it('ends with an edit, or when it is cancelled; the last figures stay', async () => {
  let begun: (() => void) | undefined
  const around = (api: SolverApi): SolverApi => ({
    ...api,
    evaluate(task) {
      begun?.()
      return begun === undefined ? api.evaluate(task) : pause(100_000).then(() => api.evaluate(task))
    }
  })
  const files = [file('visits.jsonl', asLines(visits))]
  const {session, project} = await fileSession(files, {reading, anchors}, {around})
  await session.api.evaluate({})
  for (const stop of [() => session.api.cancel(), () => session.set({...project, name: 'other'}, 2)]) {
    const ended = session.solvers.ended
    const isBegun = new Promise<void>(resolve => {
      begun = resolve
    })
    const work = session.api.evaluate({isTrained: true})
    const refused = expect(work).rejects.toThrow(/the evaluation was stopped/)
    await isBegun
    await stop()
    await refused
    expect(session.solvers.ended).toBe(ended + 1)
  }
  expect((await session.api.list({concept: 'fall', wrong: 'miss'}, 0, 5)).total).toBeGreaterThan(0)
})
