import {describe, expect, test, vi} from 'vitest'
import {asLines, emergencyVisits} from '../../../test/emergency-visits.ts'
import {BY_NAME, type Role} from '../../read/reading/index.ts'
import {type Change, changeHistory, emptyProject, type SessionApi, type Survey, startHistory} from '../session/index.ts'
import {editWords} from './edit-words.ts'
import {readyState, testStudio} from './test-session.ts'

function studioWith(over: Partial<SessionApi> = {}) {
  const sent: [Change, number][] = []
  const change = async (change: Change, revision: number) => void sent.push([change, revision])
  const studio = testStudio({change, ...over})
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
    expect(sent.map(([{kind}]) => kind)).toEqual(['edit', 'edit', 'undo', 'redo'])
    const mirrored = sent.map(([change]) => change).reduce(changeHistory, startHistory(emptyProject))
    expect(mirrored).toEqual(studio.history.value)
    expect(mirrored.undos.map(({edit}) => editWords(edit))).toEqual(['add the concept fall', 'add fell to fall'])
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
    const {studio} = studioWith({change: () => Promise.reject(new Error('no such field'))})
    studio.edit({kind: 'addConcept', concept: 'fall'})
    await vi.waitFor(() => expect(studio.said.value).toMatchObject({message: 'no such field', isFault: true}))
  })
})

describe('createIntake(studio)', () => {
  const file = (name: string, text: string) => new File([text], name)
  const visits = (count: number) => file('visits.jsonl', asLines(emergencyVisits(count, 1)))
  const anchors = file('anchors.json', JSON.stringify({alcohol: ['etoh'], stroke: ['stroke', 'cva']}))

  test('files are looked at, shown, read, and become the project', async () => {
    const {studio} = studioWith()
    const {intake} = studio
    await intake.add([visits(40), anchors])
    const {files = [], reading = {text: []}} = intake.survey.value ?? {}
    expect(files.map(({kind}) => kind)).toEqual(['documents', 'anchors'])
    expect(reading).toMatchObject({id: 'id', tags: 'tags', text: ['text']})
    intake.setReading({...reading, negation: true})
    await intake.read()
    expect(studio.project.value).toMatchObject({
      name: 'visits',
      reading: {negation: true},
      documents: {files: ['visits.jsonl'], count: 40},
      anchors: [{concept: 'alcohol'}, {concept: 'stroke', any: ['stroke', 'cva']}]
    })
    expect([studio.view.value.page, studio.isSaved.value]).toEqual(['anchors', true])
  })

  test('a fault is said as the session says it, and what was there stays', async () => {
    const {studio} = studioWith({open: () => Promise.reject(new Error('visits.jsonl, line 2: not valid JSON'))})
    const {intake} = studio
    await intake.add([visits(5)])
    await intake.add([file('bad.jsonl', '{"id":')])
    expect(intake.fault.value).toContain('bad.jsonl:1: not valid JSON')
    expect(intake.survey.value?.files.map(({name}) => name)).toEqual(['visits.jsonl'])
    await intake.read()
    expect([intake.fault.value, intake.busy.value]).toEqual(['visits.jsonl, line 2: not valid JSON', undefined])
    expect([studio.project.value.documents, studio.view.value.page]).toEqual([undefined, 'start'])
  })

  test('another file replaces one of the same name, removing the last leaves nothing', async () => {
    const {intake} = studioWith().studio
    const names = () => intake.survey.value?.files.map(({name, size}) => `${name} ${size}`)
    await intake.add([visits(5), anchors])
    const [before] = names() ?? []
    await intake.add([visits(6)])
    expect(names()).toHaveLength(2)
    expect(names()).not.toContain(before)
    await intake.remove('anchors.json')
    expect(names()).toHaveLength(1)
    await intake.remove('visits.jsonl')
    expect(intake.survey.value).toBeUndefined()
  })

  test('a column is read in another role: one id, one column of tags, bins and separators kept', async () => {
    const column = (name: string, role: Role, detail = '') => ({name, role, detail, example: ''})
    const survey: Survey = {
      files: [{name: 'a.csv', size: 9, kind: 'documents', format: 'csv'}],
      rows: 9,
      hasMore: false,
      columns: [
        column('id', 'id'),
        column('note', 'text'),
        column('age', 'number', '18,40'),
        column('meds', 'list', ';')
      ],
      reading: {id: 'id', text: ['note'], number: ['age:18,40'], list: ['meds'], separator: ';', holdOut: true},
      warnings: []
    }
    const {studio} = studioWith({survey: async () => survey, preview: () => new Promise(() => {})})
    const {intake} = studio
    await intake.add([file('a.csv', 'x')])
    const after = (name: string, role: Role) => {
      intake.setRole(name, role)
      return intake.survey.value?.reading
    }
    const tagged = {id: 'id', text: ['note'], number: ['age:18,40'], tags: 'meds', tagSeparator: ';', holdOut: true}
    expect(after('meds', 'tags')).toEqual(tagged)
    expect(after('note', 'number')).toEqual({...tagged, text: [], number: ['note:5', 'age:18,40']})
    expect(after('age', 'skip')).toEqual({...tagged, text: [], number: ['note:5']})
    expect(after('age', 'number')).toMatchObject({number: ['note:5', 'age:18,40']})
    expect(after('note', 'tags')).toEqual({id: 'id', text: [], number: ['age:18,40'], tags: 'note', holdOut: true})
    expect(after('note', 'id')).toEqual({id: 'note', text: [], number: ['age:18,40']})
    expect(intake.fault.value).toBeUndefined()
    expect(after('age', 'skip')).toEqual({id: 'note', text: []})
    expect(intake.fault.value).toMatch(/^No field is read/)
    await intake.read()
    expect(studio.project.value.documents).toBeUndefined()
    // Features that are read by their name are words, too.
    const ready = {...survey, columns: [column('features', 'skip', BY_NAME)], reading: {text: []}}
    const other = studioWith({survey: async () => ready, preview: () => new Promise(() => {})}).studio.intake
    await other.add([file('a.jsonl', 'x')])
    expect(other.fault.value).toBeUndefined()
  })

  test('documents other than those of the project are said', async () => {
    const {studio: before} = {studio: testStudio()}
    await before.intake.add([visits(5)])
    await before.intake.read()
    before.edit({kind: 'setName', name: 'ED'})
    const {parts} = await before.session.export('project')
    const {intake, project, said} = studioWith().studio
    await intake.add([new File([...(parts as readonly BlobPart[])], 'ED.adfa.json'), visits(6)])
    await intake.read()
    expect(project.value.name).toBe('ED')
    expect(said.value?.message).toContain('made with 5 documents of visits.jsonl; these are 6 documents')
  })
})
