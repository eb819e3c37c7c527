import {copyFileSync, existsSync, rmSync} from 'node:fs'
import {beforeAll, describe, expect, test} from 'vitest'
import {addMembers} from '../apply-forms.ts'
import {adfaIn, testFolder} from '../test-run.ts'
import {heldText, inlineSpan, labelsText} from './inline.ts'

const folder = testFolder()
const inFolder = (...args: readonly string[]) => adfaIn(folder.path, ...args)

/** Three concepts with words of their own. */
const rows = Array.from({length: 400}, (_, n) => {
  const tags = [...(n % 3 === 0 ? ['fever'] : []), ...(n % 4 === 0 ? ['cough'] : []), ...(n % 5 === 0 ? ['fall'] : [])]
  const words = tags.flatMap(tag => [`${tag}y`, `${tag}ish`, ...((n * 7) % 10 < 6 ? [tag] : [])])
  return {id: n, note: `visit w${n % 17} w${n % 13} ${words.join(' ')}`, tags}
})
const anchors = {fever: 'fever', cough: ['cough'], fall: {any: ['fall']}}
const labels = rows.slice(0, 120).map(({id, tags}) => ({
  id,
  labels: Object.fromEntries(Object.keys(anchors).map(name => [name, tags.includes(name)])),
  drawn: 'random'
}))
const content = {
  format: 'adfa-project',
  version: 1,
  name: 'visits',
  documents: ['visits.jsonl'],
  mark: {count: 400, hash: '0123456789abcdef'},
  read: {text: ['note'], vocabulary: 100, skipBadAnchors: true},
  anchors,
  labels,
  fit: {seed: 2},
  model: 'model.json'
}

function write(changes: object = {}, name = 'adfa.json'): string {
  return folder.write(name, JSON.stringify({...content, ...changes}, undefined, 2))
}

beforeAll(() => {
  folder.write('visits.jsonl', rows)
  folder.write('anchors.json', JSON.stringify(anchors))
  folder.write('labels.jsonl', labels)
})

describe('a project that holds its anchors and labels', () => {
  test('gives the model that one with files gives, byte for byte', async () => {
    write({anchors: 'anchors.json', labels: 'labels.jsonl'})
    expect((await inFolder('fit', '--quiet')).code).toBe(0)
    const byFiles = folder.text('model.json')
    write()
    expect((await inFolder('fit', '-o', 'inline.json', '--quiet')).code).toBe(0)
    expect(folder.text('inline.json')).toBe(byFiles)
    write({labels: []})
    expect((await inFolder('fit', '-o', 'unlabelled.json', '--quiet')).code).toBe(0)
    expect(folder.text('unlabelled.json')).not.toBe(byFiles)
  })

  test('holds its edge rules in fit, and every command follows them as it follows those of a file', async () => {
    const edges = {require: [['fall', 'fever']], forbid: [['cough', 'fever']]}
    folder.write('edges.json', JSON.stringify(edges))
    write({fit: {seed: 2, edges: 'edges.json'}})
    expect((await inFolder('fit', '--quiet')).code).toBe(0)
    const byFile = folder.text('model.json')
    expect(JSON.parse(byFile).network.required).toEqual([['fever', 'fall']])
    write({fit: {seed: 2, edges}})
    expect((await inFolder('fit', '-o', 'held.json', '--quiet')).code).toBe(0)
    expect(folder.text('held.json')).toBe(byFile)
    expect((await inFolder('run', '--model', 'run.json', '--quiet')).code).toBe(0)
    expect(folder.text('run.json')).toBe(byFile)
    const named = ['fit', '--edges', 'adfa.json', '--seed', '2', '-o', 'named-edges.json', '--quiet']
    expect((await inFolder(...named)).code).toBe(0)
    expect(folder.text('named-edges.json')).toBe(byFile)
  }, 60_000)

  test('is understood by every command that takes a project', async () => {
    write({fit: {seed: 2, edges: {require: [['fall', 'fever']]}}})
    for (const command of [
      'run',
      'fit',
      'doctor',
      'suggest',
      'noise',
      'count -o x.counts',
      'protocol visits.jsonl -o p.json',
      'predict',
      'explain --id 3',
      'report -o r.html',
      'export --to bif',
      'label --sheet sheet.csv --force'
    ]) {
      const {code, stderr} = await inFolder(...command.split(' '), '--quiet')
      expect([command, code, stderr]).toEqual([command, 0, ''])
    }
    // Its labels are known to be those that the model was learned from.
    expect(await inFolder('evaluate', '--threshold', '0.5')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('120 labelled documents')
    })
    expect((await inFolder('doctor', '--quiet')).stdout).not.toContain('No labels were read')
    expect(folder.text('report.html')).toContain('adfa.json')
  }, 60_000)

  test('may be named as the studio names it: adfa run visits.adfa.json', async () => {
    rmSync(folder.at('adfa.json'))
    write({}, 'visits.adfa.json')
    const {code, stderr} = await inFolder('run', 'visits.adfa.json', '--model', 'named.json')
    expect([code, stderr]).toEqual([0, expect.stringContaining('settings from visits.adfa.json, documents visits')])
    copyFileSync(folder.at('visits.adfa.json'), folder.at('adfa.json'))
    expect((await inFolder('predict', 'visits.adfa.json', 'visits.jsonl', '--quiet')).stdout).toBe(
      (await inFolder('predict', '--quiet')).stdout
    )
    expect(await inFolder('predict', 'visits.adfa.json', '--no-project')).toMatchObject({code: 2})
    const named = ['fit', 'visits.jsonl', '--no-project', '--text', 'note', '-o', 'other.json', '--quiet']
    const files = ['--anchors', 'visits.adfa.json', '--labels', 'visits.adfa.json']
    expect(await inFolder(...named, ...files)).toMatchObject({code: 0, stderr: ''})
  }, 60_000)

  test.each([
    [{labels: [{id: 1, labels: {fever: 2}}]}, /^adfa: adfa\.json, labels:1: the label of "fever" is 2/],
    [{labels: [7]}, /^adfa: adfa\.json: labels\[0\] must be an object, not 7/],
    [{labels: {}}, /^adfa: adfa\.json: labels must be text, not \{\}/],
    [{anchors: {fever: 3}}, /^adfa: adfa\.json: concept "fever"/],
    [{anchors: {}}, /^adfa: adfa\.json: no concepts defined/],
    [{fit: {edges: {needed: []}}}, /^adfa: adfa\.json: unknown entry "needed"; an edges file looks like/],
    [{fit: {edges: [1]}}, /^adfa: adfa\.json: fit\.edges must be text/],
    [{anchors: ['fever']}, /^adfa: adfa\.json: anchors must be text/]
  ])('is refused with the place: %j', async (changes, message) => {
    write(changes)
    expect(await inFolder('fit', '--quiet')).toMatchObject({code: 1, stderr: expect.stringMatching(message)})
  })

  test('is changed in its anchors alone by adfa suggest --apply', async () => {
    write()
    const before = folder.text('adfa.json')
    const {code, stdout} = await inFolder('suggest', '--apply', '--yes', '--quiet')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Added to adfa.json:\n')])
    const {anchors: after, ...others} = JSON.parse(folder.text('adfa.json'))
    expect({...others, anchors}).toEqual(content)
    expect(after).toEqual({
      fever: ['fever', 'feverish', 'fevery'],
      cough: ['cough', 'coughish', 'coughy'],
      fall: {any: ['fall', 'fallish', 'fally']}
    })
    const labelsAt = before.indexOf('"labels": [')
    expect(folder.text('adfa.json').endsWith(before.slice(labelsAt))).toBe(true)
  })
})

describe('a project that holds its model', () => {
  test('predicts with it, and keeps it when another is learned', async () => {
    write()
    expect((await inFolder('fit', '-o', 'held.json', '--quiet')).code).toBe(0)
    rmSync(folder.at('adfa.json'))
    const text = JSON.stringify(content).replace('"model":"model.json"', `"model":${folder.text('held.json').trim()}`)
    folder.write('shared.adfa.json', text)
    const plain = await inFolder('predict', 'held.json', 'visits.jsonl', '--quiet')
    expect(await inFolder('predict', 'shared.adfa.json', 'visits.jsonl', '--quiet')).toEqual(plain)
    for (const command of ['explain --id 3', 'evaluate', 'report -o r.html', 'export --to bif'])
      expect(await inFolder(...command.split(' '), '--project', 'shared.adfa.json', '--quiet')).toMatchObject({
        code: 0,
        stderr: ''
      })
    rmSync(folder.at('model.json'), {force: true})
    const {code, stderr} = await inFolder('run', 'shared.adfa.json', '--seed', '5', '--force')
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        'settings from shared.adfa.json, documents visits.jsonl; the model that it holds stays as it is'
      )
    ])
    expect(folder.text('shared.adfa.json')).toBe(text)
    expect(folder.text('model.json')).not.toBe(folder.text('held.json'))
  }, 60_000)

  test.each([
    [{model: 7}, 'adfa: adfa.json: model must be text, not 7'],
    [{model: {}}, 'adfa: adfa.json: not a model file; expected "format": "adfa-model"']
  ])('is refused where it holds something else: %j', async (changes, message) => {
    write(changes)
    expect(await inFolder('predict', 'visits.jsonl', '--quiet')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message)
    })
  })
})

describe('adfa label with a project that holds its labels', () => {
  const sheet = (name: string) => folder.text(name).trimEnd().split('\r\n')
  /** A sheet with all lines answered: none of the concepts. */
  const fill = (name: string) =>
    folder.write(
      name,
      sheet(name)
        .map((line, at) => `${at === 0 ? line : line.replace(/,random,,/, ',random,x,')}\r\n`)
        .join('')
    )

  test('does not write into the project: it wants a file, which begins with the labels of the project', async () => {
    const some = ['--documents', '10', '--anchored', '0', '--quiet']
    write({labels: []})
    await inFolder('label', '--sheet', 'all.csv', ...some)
    expect(sheet('all.csv')).toHaveLength(11)
    fill('all.csv')
    expect((await inFolder('label', '--from-sheet', 'all.csv', '-o', 'all.jsonl', ...some)).code).toBe(0)
    write({labels: folder.rows('all.jsonl').slice(0, 4)})
    const project = folder.text('adfa.json')
    const refused = await inFolder('label', '--from-sheet', 'all.csv', ...some)
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /adfa\.json holds its labels itself.*name one with -o FILE: a new one begins with the labels/
      )
    ])
    await inFolder('label', '--sheet', 'rest.csv', ...some)
    expect(sheet('rest.csv')).toHaveLength(7)
    fill('rest.csv')
    const from = ['label', '--from-sheet', 'rest.csv', '-o', 'new.jsonl', ...some.slice(0, -1)]
    const first = await inFolder(...from)
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringMatching(
        /new\.jsonl begins with the labels of adfa\.json; .* write "labels": "new\.jsonl" into adfa\.json/
      )
    ])
    expect(folder.rows('new.jsonl')).toHaveLength(10)
    expect((await inFolder(...from)).stderr).toContain('new.jsonl is continued, whatever labels adfa.json holds')
    expect(folder.text('adfa.json')).toBe(project)
  })

  test('refuses to write over the project, and without -o also if it holds none yet', async () => {
    write({labels: []})
    expect(await inFolder('label', '-o', 'adfa.json')).toMatchObject({code: 2})
    expect(await inFolder('label')).toMatchObject({code: 2, stderr: expect.stringContaining('name one with -o FILE')})
    expect(existsSync(folder.at('adfa.json'))).toBe(true)
  })
})

describe('inlineSpan', () => {
  test('finds what a project holds, and nothing in other files', () => {
    const text = JSON.stringify(content)
    expect(JSON.parse(heldText(text, 'anchors'))).toEqual(anchors)
    expect(labelsText(text, 'p').text).toBe(folder.text('labels.jsonl'))
    for (const other of [JSON.stringify(anchors), folder.text('labels.jsonl'), '', 'x"format":"adfa-project"'])
      expect([inlineSpan(other, 'anchors'), inlineSpan(other, 'labels')]).toEqual([undefined, undefined])
    const paths = JSON.stringify({...content, anchors: 'a.json', labels: 'l.jsonl'})
    expect([inlineSpan(paths, 'anchors'), labelsText(paths, 'p')]).toEqual([undefined, {text: paths, where: 'p'}])
    // A labels file of another program, with such a field.
    const row = '{"format":"adfa-project","id":1,"labels":{"a":true}}'
    expect(labelsText(row, 'l').text).toBe(row)
    const added = addMembers(text, [{concept: 'fever', added: ['febrile']}])
    expect(JSON.parse(added).anchors.fever).toEqual(['fever', 'febrile'])
  })
})
