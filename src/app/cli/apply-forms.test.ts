import fc from 'fast-check'
import {beforeEach, describe, expect, test} from 'vitest'
import {addMembers, chosen} from './apply-forms.ts'
import {adfa, adfaDone, adfaJson, testFolder} from './test-run.ts'
import {hasTerminal, startInTerminal} from './test-terminal.ts'

describe('addMembers', () => {
  test('adds features to each kind of entry, and leaves the rest as it is written', () => {
    const before = `{
  "$schema": "x",
  "fall":   "fall",
  "bread" : ["bread"],  "empty": [],
  "eggs": {"any": ["egg"], "not": ["any", "]"], "precision": 0.8, "prevalence": 1e-1},
  "pain": [
    "chest pain",
    "pain \\"x\\""
  ]
}
`
    const additions = ['fall', 'bread', 'empty', 'eggs', 'pain'].map(concept => ({
      concept,
      added: [`${concept}s`, 'z']
    }))
    expect(addMembers(before, additions)).toBe(`{
  "$schema": "x",
  "fall":   ["fall", "falls", "z"],
  "bread" : ["bread", "breads", "z"],  "empty": ["emptys", "z"],
  "eggs": {"any": ["egg", "eggss", "z"], "not": ["any", "]"], "precision": 0.8, "prevalence": 1e-1},
  "pain": [
    "chest pain",
    "pain \\"x\\"",
    "pains",
    "z"
  ]
}
`)
  })

  test('whatever the names and the layout, the file means the same with the features added', () => {
    const name = fc.string({minLength: 1}).filter(text => !text.startsWith('$') && text !== '__proto__')
    const anchor = fc.oneof(name, fc.array(name, {minLength: 1}), fc.record({any: fc.array(name), not: fc.array(name)}))
    fc.assert(
      fc.property(
        fc.dictionary(name, anchor, {minKeys: 1, noNullPrototype: true}),
        fc.constantFrom(undefined, 1, 2, '\t'),
        name,
        (file, indent, feature) => {
          const [concept] = Object.keys(file)
          const value = file[concept]
          const added = (list: string | string[]) => [...[list].flat(), feature]
          const isList = typeof value === 'string' || Array.isArray(value)
          const wanted = {...file, [concept]: isList ? added(value) : {...value, any: added(value.any)}}
          const after = addMembers(JSON.stringify(file, null, indent), [{concept, added: [feature]}])
          expect(JSON.parse(after)).toEqual(wanted)
          expect(Object.keys(JSON.parse(after))).toEqual(Object.keys(file))
        }
      )
    )
  })
})

test.each([
  ['', ['a', 'b', 'c']],
  [' y ', ['a', 'b', 'c']],
  ['n', []],
  ['2', ['a', 'c']],
  ['1, 3', ['b']],
  ['4', undefined],
  ['a', undefined]
])('chosen("%s", [a, b, c]) is %j', (answer, kept) => {
  expect(chosen(answer, ['a', 'b', 'c'])).toEqual(kept)
})

describe('adfa suggest --apply', () => {
  const folder = testFolder()
  const anchors = '{\n  "fall": "fall",\n  "cough": {"any": ["cough"], "prevalence": 0.1, "precision": 0.9}\n}\n'
  beforeEach(() => {
    const times = (count: number, text: string) => Array.from({length: count}, () => ({text}))
    folder.write('docs.jsonl', [
      ...times(20, 'fall at home'),
      ...times(10, 'falls at home'),
      ...times(9, 'coughing and cough'),
      ...times(30, 'cough'),
      ...times(200, 'well')
    ])
    folder.write('anchors.json', anchors)
  })
  const args = () => ['suggest', folder.at('docs.jsonl'), '--anchors', folder.at('anchors.json'), '--apply']

  test('--yes adds all forms, says so, and finds none the second time', async () => {
    expect(await adfaDone(...args(), '--yes')).toBe(`Added to ${folder.at('anchors.json')}:
  fall: falls
  cough: coughing
The rates of cough in the file no longer hold: estimate them again.
`)
    expect(folder.text('anchors.json')).toBe(
      '{\n  "fall": ["fall", "falls"],\n  "cough": {"any": ["cough", "coughing"], "prevalence": 0.1, "precision": 0.9}\n}\n'
    )
    expect(await adfaDone(...args(), '--yes')).toBe(
      `No other form of a word in an anchor was found; ${folder.at('anchors.json')} is unchanged. Other words, which adfa suggest lists without --apply, are added to the file by hand.\n`
    )
    expect(folder.names()).toEqual(['anchors.json', 'docs.jsonl'])
  })

  test('--json lists what was added', async () => {
    expect(await adfaJson(...args(), '--yes', '--for', 'fall')).toMatchObject({
      applied: [{concept: 'fall', added: ['falls']}]
    })
  })

  test('it is refused where it cannot ask or write', async () => {
    const refused = async (...more: string[]) => {
      const {code, stderr} = await adfa(...more)
      expect(code).toBe(2)
      return stderr
    }
    expect(await refused(...args())).toMatch('this is not a terminal; --yes adds all of them')
    const tags = ['suggest', folder.at('docs.jsonl'), '--anchors-from-tags', 'text', '--apply', '--yes']
    expect(await refused(...tags)).toMatch('--apply adds forms to an anchors file; name it with --anchors FILE')
    expect(await refused(...args().slice(0, -1), '--yes')).toMatch('add --apply')
    expect(folder.text('anchors.json')).toBe(anchors)
  })

  test.runIf(hasTerminal)('in a terminal it asks for each concept; Enter takes the forms', async ({onTestFinished}) => {
    const run = startInTerminal(args(), onTestFinished)
    await run.shows(/fall\s+1 {2}falls .*Enter adds them/s)
    run.type('\n')
    await run.shows(/cough\s+1 {2}coughing .*Enter adds them/s)
    run.type('7\n')
    await run.shows(/Enter adds them/)
    run.type('1\n')
    expect(await run.ended()).toBe(0)
    expect(folder.text('anchors.json')).toBe(anchors.replace('"fall": "fall"', '"fall": ["fall", "falls"]'))
  })

  test.runIf(hasTerminal)('Ctrl-D stops it without a change', async ({onTestFinished}) => {
    const run = startInTerminal(args(), onTestFinished)
    await run.shows(/Enter adds them/)
    run.type('\x04')
    expect(await run.ended()).toBe(1)
    expect(run.text()).toMatch('stopped; the anchors file is unchanged')
    expect(folder.text('anchors.json')).toBe(anchors)
  })
})
