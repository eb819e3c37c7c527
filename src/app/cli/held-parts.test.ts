import {rmSync} from 'node:fs'
import {beforeEach, describe, expect, test} from 'vitest'
import {heldSpans, heldText, labelsText} from '../project/index.ts'
import {adfaIn, type CommandLine, refused, testFolder} from './test-run.ts'

const folder = testFolder()
const inFolder = (...line: CommandLine) => adfaIn(folder.path, ...line)

/** Runs a command that must succeed, and gives back what it printed. */
async function done(...line: CommandLine): Promise<string> {
  const {code, stdout, stderr} = await inFolder(...line)
  expect([line, code, code === 0 ? '' : stderr]).toEqual([line, 0, ''])
  return stdout
}

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
const projectText = (changes: object = {}) => JSON.stringify({...content, ...changes}, undefined, 2)
const write = (changes: object = {}) => folder.write('adfa.json', projectText(changes))

folder.write('visits.jsonl', rows)
folder.write('anchors.json', JSON.stringify(anchors))
folder.write('labels.jsonl', labels)
beforeEach(() => {
  write()
})

describe('a project that holds its anchors, labels and edge rules', () => {
  test('gives the model that one with files gives, byte for byte', async () => {
    const edges = {require: [['fall', 'fever']], forbid: [['cough', 'fever']]}
    folder.write('edges.json', JSON.stringify(edges))
    write({anchors: 'anchors.json', labels: 'labels.jsonl', fit: {seed: 2, edges: 'edges.json'}})
    await done`fit --quiet`
    const byFiles = folder.text('model.json')
    expect(JSON.parse(byFiles).network.required).toEqual([['fever', 'fall']])
    write({fit: {seed: 2, edges}})
    await done`fit -o inline.json`
    await done`run --model run.json`
    await done`fit --edges adfa.json --seed 2 -o named.json`
    for (const name of ['inline.json', 'run.json', 'named.json']) expect(folder.text(name)).toBe(byFiles)
  }, 60_000)

  test('is understood by every command that takes a project', async () => {
    for (const line of [
      'run',
      'fit',
      'doctor',
      'suggest',
      'count -o x.counts',
      'count visits.jsonl --protocol p.json',
      'predict',
      'explain --id 3',
      'report -o r.html',
      'export --to bif',
      'label --sheet sheet.csv --force'
    ])
      expect([line, await inFolder`${line.split(' ')} --quiet`]).toMatchObject([line, {code: 0, stderr: ''}])
    // Its labels are known to be those that the model was learned from.
    expect(await inFolder`evaluate --threshold 0.5`).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('120 labelled documents')
    })
    expect(await done`doctor --quiet`).not.toContain('No labels were read')
  }, 60_000)

  test('may be named as the studio names it: adfa run visits.adfa.json', async () => {
    rmSync(folder.at('adfa.json'))
    folder.write('visits.adfa.json', projectText())
    const {code, stderr} = await inFolder`run visits.adfa.json`
    expect([code, stderr]).toEqual([0, expect.stringContaining('settings from visits.adfa.json, documents visits')])
    const predicted = await done`predict visits.adfa.json visits.jsonl --quiet`
    write()
    expect(await done`predict --quiet`).toBe(predicted)
    expect(await inFolder`predict visits.adfa.json --no-project`).toMatchObject({code: 2})
    const held = '--anchors visits.adfa.json --labels visits.adfa.json'.split(' ')
    await done`fit visits.jsonl --no-project --text note ${held} -o other.json`
  }, 60_000)

  test.each([
    [{labels: [{id: 1, labels: {fever: 2}}]}, /^adfa: adfa\.json, labels:1: the label of "fever" is 2/],
    [{anchors: {fever: 3}}, /^adfa: adfa\.json: concept "fever"/],
    [{fit: {edges: {needed: []}}}, /^adfa: adfa\.json: unknown entry "needed"; an edges file looks like/]
  ])('is refused with the place: %j', async (changes, message) => {
    write(changes)
    expect(await inFolder`fit --quiet`).toEqual(refused(1, message))
  })
})

describe('a project that holds its model', () => {
  test('predicts with it, and keeps it when another is learned', async () => {
    await done`fit -o held.json`
    rmSync(folder.at('adfa.json'))
    const text = JSON.stringify(content).replace('"model":"model.json"', `"model":${folder.text('held.json').trim()}`)
    folder.write('shared.adfa.json', text)
    expect(await done`predict shared.adfa.json visits.jsonl --quiet`).toBe(
      await done`predict held.json visits.jsonl --quiet`
    )
    for (const command of ['explain --id 3', 'evaluate', 'report -o r.html', 'export --to bif'])
      await done`${command.split(' ')} --project shared.adfa.json`
    const {code, stderr} = await inFolder`run shared.adfa.json --seed 5 --force`
    expect([code, stderr]).toEqual([0, expect.stringContaining('the model that it holds stays as it is')])
    expect(folder.text('shared.adfa.json')).toBe(text)
    expect(folder.text('model.json')).not.toBe(folder.text('held.json'))
  }, 60_000)
})

test('adfa label wants a file, which begins with the labels of the project, and does not write into the project', async () => {
  const sheet = (name: string) => folder.text(name).trimEnd().split('\r\n')
  /** A sheet with all lines answered: none of the concepts. */
  const fill = (name: string) => folder.write(name, folder.text(name).replaceAll(',random,,', ',random,x,'))
  const some = ['--documents', '10', '--anchored', '0']
  write({labels: []})
  await done`label --sheet all.csv ${some}`
  expect(sheet('all.csv')).toHaveLength(11)
  fill('all.csv')
  await done`label --from-sheet all.csv -o all.jsonl ${some}`
  write({labels: folder.rows('all.jsonl').slice(0, 4)})
  const project = folder.text('adfa.json')
  expect(await inFolder`label --from-sheet all.csv ${some} --quiet`).toEqual(
    refused(2, /adfa\.json holds its labels itself.*name one with -o FILE: a new one begins with the labels/)
  )
  await done`label --sheet rest.csv ${some}`
  expect(sheet('rest.csv')).toHaveLength(7)
  fill('rest.csv')
  const from = ['label', '--from-sheet', 'rest.csv', '-o', 'new.jsonl', ...some]
  const begun = /new\.jsonl begins with the labels of adfa\.json; .* write "labels": "new\.jsonl" into adfa\.json/
  expect((await inFolder(...from)).stderr).toMatch(begun)
  expect(folder.rows('new.jsonl')).toHaveLength(10)
  expect((await inFolder(...from)).stderr).toContain('new.jsonl is continued, whatever labels adfa.json holds')
  expect(await inFolder`label -o adfa.json`).toMatchObject({code: 2})
  expect(folder.text('adfa.json')).toBe(project)
})

test('heldSpans(...) finds what a project holds, and nothing in other files', () => {
  const text = JSON.stringify(content)
  expect(JSON.parse(heldText(text, 'anchors'))).toEqual(anchors)
  expect(labelsText(text, 'p').text).toBe(folder.text('labels.jsonl'))
  for (const other of [JSON.stringify(anchors), folder.text('labels.jsonl'), '', 'x"format":"adfa-project"'])
    expect([heldSpans(other).anchors, heldSpans(other).labels]).toEqual([undefined, undefined])
  const paths = JSON.stringify({...content, anchors: 'a.json', labels: 'l.jsonl'})
  expect([heldSpans(paths).anchors, labelsText(paths, 'p')]).toEqual([undefined, {text: paths, where: 'p'}])
  // A labels file of another program, with such a field.
  const row = '{"format":"adfa-project","id":1,"labels":{"a":true}}'
  expect(labelsText(row, 'l').text).toBe(row)
})
