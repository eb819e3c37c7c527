import {describe, expect, test} from 'vitest'
import {textRows} from '../../../test/browser-fit.ts'
import {learn} from '../../learn/learn.ts'
import {saveModel} from '../../learn/model/index.ts'
import {type Anchors, parseAnchors} from '../../read/data/index.ts'
import {adfaIn, testFolder} from '../cli/test-run.ts'
import type {Edit} from '../session/index.ts'
import {edited, emptyProject, labelRow} from '../session/test-project.ts'
import {learnOptionsOf, searchNeedsHighs} from './learn-options.ts'
import type {Project} from './project.ts'
import {projectToText} from './project-file.ts'

const folder = testFolder()
const {rows, anchors} = textRows(1)
const documents = rows.slice(0, 600).map((row, at) => ({
  ...row,
  'note, long': row.text,
  age: at % 90,
  meds: at % 2 === 0 ? ['aspirin'] : ['naloxone', 'aspirin']
}))
const concepts = Object.keys(anchors)
const given: Anchors = parseAnchors(JSON.stringify(anchors), 'anchors')
const start = edited(emptyProject, {kind: 'setAnchors', anchors: given, words: 'take anchors'})
const labels = documents
  .slice(0, 150)
  .map(({id, tags}) => labelRow(String(id), Object.fromEntries(concepts.map(name => [name, tags.includes(name)]))))

/** The model that the command line writes beside the documents and the project file. */
async function modelByCommand(project: Project): Promise<string> {
  const mark = {files: ['my visits.jsonl'], count: documents.length, hash: ''}
  folder.write('my visits.jsonl', documents)
  folder.write('visits.adfa.json', projectToText({...project, documents: mark}))
  const {code, stderr} = await adfaIn(folder.path, 'fit', '--project', 'visits.adfa.json', '--quiet')
  expect([code, stderr]).toEqual([0, ''])
  return folder.text('model.json')
}

async function modelByLibrary(project: Project): Promise<string> {
  return saveModel(await learn(documents, project.anchors, learnOptionsOf(project)))
}

const odd: Edit[] = [
  {kind: 'addConcept', concept: 'no member'},
  {kind: 'addConcept', concept: 'dead'},
  {kind: 'addMember', concept: 'dead', feature: 'nowhere'},
  {kind: 'addVeto', concept: concepts[0], feature: 'ward:north'},
  {kind: 'addMember', concept: concepts[1], feature: '/word-001[12]/'},
  {kind: 'setRates', concept: concepts[1], rates: {kind: 'rates', truePositive: 0.7, falsePositive: 0.02}},
  {kind: 'renameConcept', concept: concepts[2], to: "it's 1"},
  {
    kind: 'setReading',
    reading: {
      text: ['text'],
      category: ['ward'],
      number: ['age:18,40,65'],
      list: ['meds'],
      vocabulary: 30,
      maxShare: 0.5,
      negation: true,
      negationScope: 5,
      keepCase: false,
      separator: ';',
      format: 'jsonl'
    },
    documents: undefined
  }
]

const rules: Edit[] = [
  {kind: 'setRule', a: concepts[0], b: concepts[3], rule: 'require'},
  {kind: 'setRule', a: "it's 1", b: concepts[1], rule: 'forbid'},
  {kind: 'setRule', a: 'dead', b: concepts[1], rule: 'forbid'},
  {kind: 'setRule', a: 'no member', b: concepts[0], rule: 'require'}
]

test.each<[string, Project]>([
  [
    'labels, odd names, rules and concepts that cannot be learned',
    edited(start, {kind: 'setLabels', labels, words: ''}, ...odd, ...rules)
  ],
  [
    'the preset of the paper, intervals and a name with a comma',
    edited(
      start,
      {
        kind: 'setReading',
        reading: {text: ['note, long', 'text'], category: ['ward'], keepCase: true, tags: 'tags', id: 'id'},
        documents: undefined
      },
      {kind: 'setFit', fit: {preset: 'paper', noise: 'labels', shrinkage: '5/N', intervals: 4}}
    )
  ]
])(
  'adfa fit writes the bytes that learn(...) gives for a saved project: %s',
  async (_, project) => {
    const model = await modelByCommand(project)
    expect(model).toBe(await modelByLibrary(project))
    expect(JSON.parse(model).concepts.length).toBeGreaterThan(3)
  },
  60_000
)

describe('what is learned from', () => {
  test('refuses labels of documents drawn for their anchor where the rates are to come from labels alone', () => {
    const project = edited(
      start,
      {kind: 'setLabels', labels: [labelRow(1, {[concepts[0]]: true}, {drawn: 'anchored'})], words: ''},
      {kind: 'setFit', fit: {noise: 'labels'}}
    )
    expect(() => learnOptionsOf(project)).toThrow(/1 of the labels .* use `noise` 'auto'/)
    expect(
      learnOptionsOf({...project, fit: {}})
        .labels?.get('1')
        ?.get(concepts[0])
    ).toBe(true)
  })
})

test('searchNeedsHighs(...) for an exact search of more than 22 concepts', () => {
  const anchors = Array.from({length: 23}, (_, i) => ({concept: `c${i}`, any: ['a'], not: [], rates: undefined}))
  const project = {...emptyProject, anchors, fit: {structure: 'indegree:2'}}
  expect(searchNeedsHighs(project)).toBe(true)
  expect(searchNeedsHighs({...project, anchors: anchors.slice(1)})).toBe(false)
  expect(searchNeedsHighs({...project, fit: {structure: 'degree:3'}})).toBe(false)
})
