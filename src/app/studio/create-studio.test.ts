import {describe, expect, test, vi} from 'vitest'
import type {Project, SessionApi} from '../session/index.ts'
import {createStudio} from './create-studio.ts'
import {createIntake} from './pages/start/intake.ts'
import {fakeSession, readyState, survey} from './test-session.ts'

function studioWith(over: Partial<SessionApi> = {}) {
  const sent: [Project, number][] = []
  const setProject = async (project: Project, revision: number) => void sent.push([project, revision])
  const studio = createStudio(fakeSession({setProject, ...over}))
  return {studio, sent}
}

describe('createStudio(session)', () => {
  test('of a list by a concept that is removed, the words are left', () => {
    const {studio} = studioWith()
    for (const concept of ['fever', 'cough']) studio.edit({kind: 'addConcept', concept})
    studio.go({query: {concept: 'fever', low: 0.5, has: 'hot'}})
    studio.edit({kind: 'removeConcept', concept: 'cough'})
    expect(studio.view.value.query).toEqual({concept: 'fever', low: 0.5, has: 'hot'})
    studio.edit({kind: 'removeConcept', concept: 'fever'})
    expect(studio.view.value.query).toEqual({has: 'hot'})
  })

  test('an edit changes the project, is sent with the next revision, said in words, and can be undone and redone', () => {
    const {studio, sent} = studioWith()
    studio.edit({kind: 'addConcept', concept: 'fall'})
    studio.edit({kind: 'addMember', concept: 'fall', feature: 'fell'})
    expect(studio.project.value.anchors).toMatchObject([{concept: 'fall', any: ['fell']}])
    expect(studio.said.value).toEqual({message: 'Done: add fell to fall', isFault: false, isEdit: true})
    studio.undo()
    expect(studio.project.value.anchors).toMatchObject([{concept: 'fall', any: []}])
    studio.redo()
    expect(sent.map(([, revision]) => revision)).toEqual([1, 2, 3, 4])
    expect(sent[3][0]).toBe(studio.project.value)
    expect(studio.history.value.undos.map(({words}) => words)).toEqual(['add the concept fall', 'add fell to fall'])
  })

  test('an edit that is refused changes nothing and is said', () => {
    const {studio, sent} = studioWith()
    studio.edit({kind: 'removeConcept', concept: 'fall'})
    expect([sent.length, studio.said.value?.isFault]).toEqual([0, true])
    expect(studio.said.value?.message).toContain('fall')
  })

  test('the concept at hand is always one of the project', () => {
    const {studio} = studioWith()
    const names = () => [studio.view.value.concept, ...studio.project.value.anchors.map(({concept}) => concept)]
    studio.edit({kind: 'addConcept', concept: 'fall'})
    studio.edit({kind: 'addConcept', concept: 'stroke'})
    expect(names()).toEqual(['stroke', 'fall', 'stroke'])
    studio.edit({kind: 'renameConcept', concept: 'stroke', to: 'cva'})
    expect(names()).toEqual(['cva', 'fall', 'cva'])
    studio.edit({kind: 'removeConcept', concept: 'cva'})
    expect(names()).toEqual(['fall', 'fall'])
    studio.undo()
    studio.undo()
    expect(names()).toEqual(['fall', 'fall', 'stroke'])
    studio.edit({kind: 'removeConcept', concept: 'fall'})
    studio.edit({kind: 'removeConcept', concept: 'stroke'})
    expect(names()).toEqual([undefined])
  })

  test('a project is saved until it changes, and again when the change is undone', () => {
    const {studio} = studioWith()
    expect(studio.isSaved.value).toBe(true)
    studio.edit({kind: 'setName', name: 'visits'})
    expect(studio.isSaved.value).toBe(false)
    studio.undo()
    expect(studio.isSaved.value).toBe(true)
    studio.redo()
    studio.markSaved()
    expect(studio.isSaved.value).toBe(true)
  })

  test('events of the session: state, progress until the next state, notices', () => {
    const {studio} = studioWith()
    studio.hear({kind: 'progress', words: 'reading', share: 0.5})
    expect(studio.progress.value).toMatchObject({words: 'reading', share: 0.5})
    studio.hear({kind: 'state', state: readyState})
    expect([studio.progress.value, studio.state.value]).toEqual([undefined, readyState])
    studio.hear({kind: 'notice', message: 'stopped'})
    expect(studio.said.value?.message).toBe('stopped')
  })

  test('what the session refuses is said', async () => {
    const {studio} = studioWith({setProject: () => Promise.reject(new Error('no such field'))})
    studio.edit({kind: 'addConcept', concept: 'fall'})
    await vi.waitFor(() => expect(studio.said.value).toMatchObject({message: 'no such field', isFault: true}))
  })
})

describe('createIntake(studio)', () => {
  const file = (name: string) => new File(['x'], name)

  test('files are looked at, shown, read, and become the project', async () => {
    const {studio} = studioWith()
    const intake = createIntake(studio)
    await intake.add([file('visits.jsonl')])
    expect([intake.survey.value, intake.reading.value, intake.preview.value?.rows.length]).toEqual([
      survey,
      survey.reading,
      20
    ])
    intake.setReading({...survey.reading, negation: true})
    await intake.read()
    expect(studio.project.value).toMatchObject({
      name: 'visits',
      reading: {negation: true},
      documents: {files: ['visits.jsonl'], count: 100_000, hash: 'a1b2c3'}
    })
    expect([studio.project.value.anchors.length, studio.view.value.page, studio.isSaved.value]).toEqual([
      23,
      'anchors',
      true
    ])
  })

  test('a fault is said as the session says it, and what was there stays', async () => {
    const {studio} = studioWith({open: () => Promise.reject(new Error('visits.jsonl, line 2: not valid JSON'))})
    const intake = createIntake(studio)
    await intake.add([file('visits.jsonl')])
    await intake.read()
    expect([intake.fault.value, intake.busy.value]).toEqual(['visits.jsonl, line 2: not valid JSON', undefined])
    expect([studio.project.value.documents, studio.view.value.page]).toEqual([undefined, 'start'])
  })

  test('a model without documents opens Graph at once; beside documents it does not', async () => {
    const model = {concepts: 2, fields: ['text'], bytes: 9}
    const files = [{name: 'm.json', size: 9, kind: 'model' as const, words: ''}]
    const {studio} = studioWith({survey: async ([{name}]) => ({...survey, model, ...(name === 'm.json' && {files})})})
    const intake = createIntake(studio)
    await intake.add([file('docs')])
    expect(studio.view.value.page).toBe('start')
    const alone = createIntake(studio)
    await alone.add([file('m.json')])
    expect([studio.view.value.page, studio.said.value?.message]).toEqual(['graph', 'Opened m.json read-only'])
  })

  test('another file replaces one of the same name, removing the last leaves nothing', async () => {
    const asked: string[][] = []
    const {studio} = studioWith({
      survey: async files => {
        asked.push(files.map(({name}) => name))
        return survey
      }
    })
    const intake = createIntake(studio)
    await intake.add([file('a'), file('b')])
    await intake.add([file('a')])
    await intake.remove('b')
    await intake.remove('a')
    expect(asked).toEqual([['a', 'b'], ['b', 'a'], ['a'], []])
    expect(intake.survey.value).toBeUndefined()
  })

  test('only the last of several previews is shown', async () => {
    const answers: ((words: number) => void)[] = []
    const {studio} = studioWith({
      preview: () => new Promise(resolve => answers.push(kept => resolve({rows: [], surveyed: 0, kept, dropped: []})))
    })
    const intake = createIntake(studio)
    const added = intake.add([file('a')])
    await vi.waitFor(() => expect(answers.length).toBe(1))
    intake.setReading({text: ['b']})
    answers[1](2)
    answers[0](1)
    await added
    expect(intake.preview.value?.kept).toBe(2)
  })

  test('documents other than those of the project are said', async () => {
    const project: Project = {
      name: 'ED',
      reading: survey.reading,
      anchors: [],
      fit: {},
      labels: [],
      documents: {files: ['old.jsonl'], count: 19_000, hash: 'other'}
    }
    const {anchors: _, ...bare} = survey
    const {studio} = studioWith({survey: async () => ({...bare, project})})
    const intake = createIntake(studio)
    await intake.add([file('ED.adfa.json'), file('visits.jsonl')])
    await intake.read()
    expect(studio.project.value.name).toBe('ED')
    expect(studio.said.value?.message).toContain('made with 19,000 documents of old.jsonl; these are 100,000 documents')
  })
})
