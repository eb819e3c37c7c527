import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {edited, editedWhereAllowed, edits, emptyProject, labelRow} from '../session/test-project.ts'
import {learnOptionsOf} from './learn-options.ts'
import {documentsHash, marksDiffer} from './project.ts'
import {isProjectText, openProject, projectFileName, projectToText} from './project-file.ts'

const content = {format: 'adfa-project', version: 1}
const parsed = (changes: object) => openProject(JSON.stringify({...content, ...changes}), 'v.adfa.json')

describe('projectToText and parseProjectFile', () => {
  test('openProject(projectToText(p)) is p, whatever the edits', () => {
    fc.assert(
      fc.property(edits, some => {
        const project = editedWhereAllowed(emptyProject, some)
        // Settings of the fit are checked when a project is opened, not when they are set.
        fc.pre(isLearnable(() => learnOptionsOf({...project, labels: []})))
        const text = projectToText(project)
        const opened = openProject(text, 'x.adfa.json')
        const snapshots = project.snapshots?.map(each => ({...each, project: {...each.project, model: 'model.json'}}))
        expect(opened.project).toEqual({...project, model: 'model.json', ...(snapshots && {snapshots})})
        expect([opened.anchors, opened.labels]).toEqual([undefined, undefined])
        expect(projectToText(opened.project)).toBe(text)
      }),
      {numRuns: 300}
    )
  })

  test('projectToText(...) is a file to read and to compare: a line per concept and per label row', () => {
    const project = edited(
      {...emptyProject, documents: {files: ['visits.jsonl'], count: 100000, hash: '0123456789abcdef'}},
      {kind: 'addConcept', concept: 'alcohol'},
      {kind: 'addMember', concept: 'alcohol', feature: 'etoh'},
      {kind: 'addConcept', concept: 'sepsis'},
      {kind: 'setFit', fit: {seed: 7}},
      {kind: 'setRule', a: 'sepsis', b: 'alcohol', rule: 'forbid'},
      {kind: 'setLabels', labels: [labelRow(1, {alcohol: true}), labelRow('x', {alcohol: false})], words: ''}
    )
    expect(projectToText(project)).toContain(`
  "anchors": {
    "alcohol": "etoh",
    "sepsis": []
  },
  "labels": [
    {"id": 1, "labels": {"alcohol": true}, "drawn": "random"},
    {"id": "x", "labels": {"alcohol": false}, "drawn": "random"}
  ],
  "fit": {
    "seed": 7,
    "edges": {"require": [], "forbid": [["sepsis", "alcohol"]]}
  },
  "model": "model.json"
}
`)
    expect(projectFileName({...project, name: 'ED/notes: 2024'})).toBe('ED-notes- 2024.adfa.json')
  })

  test('a project of adfa init names its files', () => {
    const opened = openProject(
      JSON.stringify({
        ...content,
        $comment: 'x',
        documents: 'data/notes.csv',
        read: {$why: 'because', text: 'note, more', number: 'age:10', vocabulary: '200', skipBadAnchors: false},
        anchors: 'anchors.json',
        labels: 'labels.jsonl',
        fit: {seed: '7', structure: 'tree', shrinkage: '0.1'},
        model: 'm.json'
      }),
      'adfa.json'
    )
    expect(opened).toEqual({
      project: {
        name: 'adfa',
        reading: {text: ['note', 'more'], number: ['age:10'], vocabulary: 200},
        anchors: [],
        fit: {seed: 7, structure: 'tree', shrinkage: 0.1},
        labels: [],
        documents: undefined,
        model: 'm.json'
      },
      documents: ['data/notes.csv'],
      anchors: 'anchors.json',
      labels: 'labels.jsonl'
    })
    expect(learnOptionsOf(opened.project)).toMatchObject({
      network: 'tree',
      shrinkage: 0.1,
      seed: 7,
      number: ['age:10']
    })
    expect(parsed({}).project.reading).toEqual({text: ['title', 'text']})
  })

  test('ids of labels keep all their digits, and a concept that is named twice is found', () => {
    const text = `{"format": "adfa-project", "version": 1, "labels": [
      {"id": 12345678901234567890,
       "labels": {"a": true}}]}`
    expect(openProject(text, 'p').project.labels[0].id).toBe('12345678901234567890')
    const twice = '{"format": "adfa-project", "version": 1, "anchors": {"a": "x", "a": "y"}}'
    expect(() => openProject(twice, 'p.json')).toThrow(/^p\.json, anchors: concept "a" is named twice/)
  })

  test.each([
    [{format: 'adfa-model'}, /it is not a project file/],
    [{version: 2}, /it has version 2; this program reads version 1/],
    [{documnets: []}, /a project has no "documnets"; did you mean "documents"\?/],
    [{read: {seperator: ';'}}, /"read" has no "seperator"; did you mean "separator"\?/],
    [{read: {workers: 2}}, /"read" has "workers", which only the command line supports; remove it/],
    [{read: {negation: 'yes'}}, /read\.negation must be true or false, not "yes"/],
    [{read: {maxShare: 2}}, /read\.maxShare is "2", which is invalid. It must be a share from 0 to 1/],
    [{read: {vocabulary: 'many'}}, /read\.vocabulary is "many", which is invalid. It must be a whole number above 0/],
    [{fit: {edges: 'edges.json'}}, /"fit" has "edges", which names a file/],
    [{fit: {edges: {require: [['a']]}}}, /fit\.edges: "require" holds \["a"\]; an edge is a parent and a child/],
    [{anchors: {a: 'x'}, fit: {edges: {forbid: [['a', 'b']]}}}, /"fit\.edges" names "b", which is not a concept/],
    [{fit: {polytop: 'local'}}, /"fit" has no "polytop"; did you mean "polytope"\?/],
    [{fit: {polytope: 'mine'}}, /fit\.polytope is "mine", which is invalid. Allowed choices are simplex, local/],
    [{fit: {shrinkage: 'much'}}, /such as 10\/N; got "much"/],
    [{fit: {intervals: 0.5}}, /fit\.intervals is "0\.5", which is invalid. It must be a whole number from 1/],
    [{fit: {seed: -1}}, /fit\.seed is "-1", which is invalid. It must be a whole number/],
    [{fit: {seed: null}}, /fit\.seed must be text, not null/],
    [{anchors: 7}, /anchors must be text, not 7/],
    [{anchors: {a: '/(/'}}, /anchors: concept "a":/],
    [{labels: {}}, /labels must be text, not \{\}/],
    [{labels: [1]}, /labels\[0\] must be an object, not 1/],
    [{labels: [{id: 1, labels: {a: 1}}]}, /labels:1: the label of "a" is 1/],
    [{snapshots: {}}, /snapshots must be a list/],
    [{snapshots: [{name: 'a'}]}, /snapshots\[0\] has no "project"; remove this snapshot/],
    [{snapshots: [{name: 'a', project: {}}]}, /it is not a project file/],
    [{snapshots: [{name: 'a', project: content, nam: 1}]}, /snapshots\[0\] has no "nam"; did you mean "name"\?/],
    [{snapshots: [{name: 'a', project: content, renamed: [['x']]}]}, /renamed\[0\] must be two names/],
    [{snapshots: ['a', 'a'].map(name => ({name, project: content}))}, /there is a snapshot "a" already/],
    [{mark: {count: -1, hash: ''}}, /mark\.count must be a whole number/]
  ])('refuses %j', (changes, message) => {
    expect(() => parsed(changes)).toThrow(AdfaError)
    expect(() => parsed(changes)).toThrow(message)
    expect(() => parsed(changes)).toThrow(/^v\.adfa\.json(: |, )/)
  })

  test('refuses what is no JSON, with the place', () => {
    expect(() => openProject('{"format": "adfa-project",\n}', 'p')).toThrow(/^p: not valid JSON: line 2, column 1/)
    expect([isProjectText(projectToText(emptyProject)), isProjectText('{"format": "adfa-model"}')]).toEqual([
      true,
      false
    ])
  })
})

function isLearnable(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

describe('documentsHash', () => {
  const keys = Array.from({length: 100_000}, (_, at) => `visit-${at}`)

  test('documentsHash(keys) depends on every key and not on their order', () => {
    const hash = documentsHash(keys)
    expect(hash).toMatch(/^[\da-f]{16}$/)
    expect(documentsHash(keys.toReversed())).toBe(hash)
    expect(documentsHash(keys.slice(1))).not.toBe(hash)
    expect(documentsHash([...keys.slice(1), 'visit'])).not.toBe(hash)
    expect(documentsHash(['a', 'a'])).not.toBe(documentsHash([]))
    // Files depend on it.
    expect(documentsHash(['1', '2', 'a b'])).toBe('243f8eafd5b416b6')
  })

  test('marksDiffer(...) knows the documents of a project whatever their files are called', () => {
    const mark = {files: ['a.csv', 'b.csv'], count: 3, hash: 'x'}
    expect(marksDiffer(mark, {...mark, files: ['c.csv']} as typeof mark)).toBeUndefined()
    expect(marksDiffer(mark, {count: 3, hash: 'y'})).toContain('different')
  })
})
