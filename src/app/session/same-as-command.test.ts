import {describe, expect, test} from 'vitest'
import {textRows} from '../../../test/browser-fit.ts'
import {learn} from '../../learn/learn.ts'
import {saveModel} from '../../learn/model/index.ts'
import {type Anchors, parseAnchors} from '../../read/data/index.ts'
import {adfaIn, testFolder} from '../cli/test-run.ts'
import type {Edit} from './edits.ts'
import {learnAnchorsOf, learnLabelsOf, learnOptionsOf} from './learn-options.ts'
import type {Project} from './project.ts'
import {commandOf} from './same-as-command.ts'
import {edited, emptyProject, labelRow, shellWords} from './test-project.ts'

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

/** The model that the line writes where the files are. */
async function modelByCommand(project: Project, names: readonly string[]): Promise<string> {
  const {line, files} = commandOf(project, names)
  const half = Math.ceil(documents.length / names.length)
  names.forEach((name, at) => {
    folder.write(name, documents.slice(at * half, (at + 1) * half))
  })
  for (const {name, text} of files) folder.write(name, text)
  const [program, ...args] = shellWords(line)
  const {code, stderr} = await adfaIn(folder.path, ...args, '--quiet')
  expect([program, code, stderr]).toEqual(['adfa', 0, ''])
  return folder.text(String(args.at(-1)))
}

async function modelByLibrary(project: Project): Promise<string> {
  return saveModel(await learn(documents, learnAnchorsOf(project), learnOptionsOf(project)))
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

describe('commandOf', () => {
  test('is short where nothing was changed', () => {
    expect(commandOf({...start, reading: {text: ['title', 'text']}}, ['visits.jsonl']).line).toBe(
      'adfa fit visits.jsonl --anchors anchors.json --skip-bad-anchors --no-project -o model.json'
    )
  })

  test('names every setting that differs from the defaults, quoted', () => {
    const project = edited(
      start,
      ...odd,
      {kind: 'setLabels', labels, words: ''},
      {
        kind: 'setFit',
        fit: {structure: 'indegree:2', seed: 3, search: 'greedy', intervals: true}
      }
    )
    expect(commandOf(project, ['my visits.jsonl', "-o'x.jsonl", 'labels.jsonl']).line).toBe(
      "adfa fit 'my visits.jsonl' './-o'\\''x.jsonl' labels.jsonl --anchors anchors.json --labels studio-labels.jsonl " +
        "--text text --number age:18,40,65 --category ward --list meds --vocabulary 30 --negation --negation-scope 5 --separator ';' --format jsonl " +
        '--structure indegree:2 --seed 3 --search greedy --intervals --skip-bad-anchors --no-project -o model.json'
    )
  })

  test('names an edges file where links are required or forbidden', () => {
    const {line, files} = commandOf(edited(start, ...odd, ...rules), ['visits.jsonl'])
    expect(line).toContain(' --edges edges.json ')
    expect(files.at(-1)).toEqual({
      name: 'edges.json',
      text: `${JSON.stringify({
        require: [[concepts[0], concepts[3]]],
        forbid: [
          ["it's 1", concepts[1]],
          ['dead', concepts[1]]
        ]
      })}\n`
    })
  })

  test('refuses a project without members or documents', () => {
    const bare = edited(emptyProject, {kind: 'addConcept', concept: 'a'})
    expect(() => commandOf(bare, ['x.csv'])).toThrow(/no concept has a member yet/)
    expect(() => commandOf(start, [])).toThrow(/there are no documents/)
  })

  test.each<[string, Project, readonly string[]]>([
    [
      'with everything, labels, odd names and an anchor that never fires',
      edited(start, {kind: 'setLabels', labels, words: ''}, ...odd),
      ["my visits; it's $HOME.jsonl", '-b.jsonl']
    ],
    [
      'with the preset of the paper and intervals',
      edited(
        start,
        {
          kind: 'setReading',
          reading: {text: ['text'], keepCase: true, tags: 'tags', id: 'id'},
          documents: undefined
        },
        {kind: 'setFit', fit: {preset: 'paper', noise: 'labels', shrinkage: '5/N', intervals: 4}}
      ),
      ['visits.jsonl']
    ],
    [
      'with edge rules, one of a concept without a member and one of an anchor that never fires',
      edited(start, ...odd, ...rules, {kind: 'setFit', fit: {intervals: 3}}),
      ['edges.json', 'visits.jsonl']
    ],
    [
      'with a name that no flag can hold, and edge rules',
      edited(
        start,
        ...odd,
        ...rules,
        {kind: 'setLabels', labels, words: ''},
        {
          kind: 'setReading',
          reading: {text: ['note, long', 'text'], category: ['ward']},
          documents: undefined
        }
      ),
      ['visits.jsonl']
    ]
  ])(
    'writes the bytes that learn(...) gives: %s',
    async (_, project, names) => {
      const model = await modelByCommand(project, names)
      expect(model).toBe(await modelByLibrary(project))
      expect(JSON.parse(model).concepts.length).toBeGreaterThan(3)
    },
    60_000
  )
})

describe('what is learned from', () => {
  test('leaves out concepts without a member, with their labels and their place in a group', () => {
    const json = '{"a":"x","b":[],"c":"z","$exclusive":[["a","b","c"]]}'
    const project = edited(
      emptyProject,
      {kind: 'setAnchors', anchors: parseAnchors(json, 'a'), words: ''},
      {kind: 'setLabels', labels: [labelRow(1, {b: true}), labelRow(2, {a: true, b: false})], words: ''}
    )
    const group = {exclusive: {group: 0, size: 2, atMostOne: true}}
    expect(learnAnchorsOf(project)).toMatchObject([
      {concept: 'a', ...group},
      {concept: 'c', ...group}
    ])
    expect(learnLabelsOf(project).map(({id, labels: of}) => [id, ...of])).toEqual([[2, ['a', true]]])
  })

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
