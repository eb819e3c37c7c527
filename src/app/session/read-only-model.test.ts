import {beforeAll, describe, expect, test} from 'vitest'
import {adfaIn, testFolder} from '../cli/test-run.ts'
import {openSession} from './test-session.ts'

const folder = testFolder()
const rows = Array.from({length: 400}, (_, n) => {
  const tags = [...(n % 3 === 0 ? ['fever'] : []), ...(n % 4 === 0 || n % 9 === 0 ? ['cough'] : [])]
  const words = tags.flatMap(tag => [`${tag[0]}y`, ...((n * 7) % 10 < 6 ? [`is${tag[0]}`] : [])])
  return {id: n, text: `visit w${n % 17} ${words.join(' ')}`}
})

function file(name: string, content = folder.text(name)) {
  return new File([content], name)
}

async function run(...args: readonly string[]): Promise<void> {
  const {code, stderr} = await adfaIn(folder.path, ...args, '--quiet', '--no-project')
  expect([args, code, stderr]).toEqual([args, 0, ''])
}

describe('a model without documents', () => {
  beforeAll(async () => {
    folder.write('docs.jsonl', rows)
    folder.write('anchors.json', '{"fever": "isf", "cough": "isc"}')
    folder.write('edges.json', '{"require": [["fever", "cough"]]}')
    const options = '--anchors anchors.json --edges edges.json --text text -o model.json'
    await run('fit', 'docs.jsonl', ...options.split(' '))
  }, 60_000)

  test('is open read-only: its graph, its rules, a picture and a card', async () => {
    const session = openSession()
    const survey = await session.api.survey([file('model.json')])
    expect(survey.files).toMatchObject([{kind: 'model'}])
    expect(survey.model).toMatchObject({concepts: 2, documents: 400, fields: ['text']})
    expect(session.state()).toMatchObject({readOnly: 'model.json', numbers: {is: 'ready'}, scores: {is: 'none'}})
    const {concepts, rules} = await session.api.graph()
    expect(concepts.map(({name}) => name)).toEqual(['fever', 'cough'])
    expect(rules).toEqual({require: [['fever', 'cough']], forbid: []})
    expect(await session.api.picture({kind: 'network'})).toMatch(/this link is required<\/title>/)
    expect(await session.api.picture({kind: 'card', concept: 'cough'})).toContain('isc')
    await expect(session.api.resample(10)).rejects.toThrow('not ready')
  }, 60_000)

  test('is saved as the command line writes it; what needs documents is refused', async () => {
    const session = openSession()
    await session.api.survey([file('model.json')])
    await run('report', 'model.json', '-o', 'report.html')
    await run('export', 'model.json', '--to', 'dot', '-o', 'network.dot')
    expect(await session.text('report')).toBe(folder.text('report.html'))
    expect(await session.text('dot')).toBe(folder.text('network.dot'))
    expect(await session.text('model')).toBe(folder.text('model.json'))
    await expect(session.api.export('predictions.csv')).rejects.toThrow('model.json is open without its documents')
  }, 60_000)

  test('is closed when its file is taken away, or when documents are read', async () => {
    const session = openSession()
    await session.api.survey([file('model.json')])
    await session.api.survey([])
    expect(session.state().readOnly).toBeUndefined()
    await expect(session.api.graph()).rejects.toThrow('there is no model yet')
    await session.api.survey([file('model.json')])
    await session.api.survey([file('model.json'), file('docs.jsonl')])
    expect(session.state().readOnly).toBeUndefined()
    await session.api.open({text: ['text']})
    const {warnings} = await session.api.survey([file('model.json')])
    expect(warnings[0]).toContain('open it alone in another tab')
    expect(session.state().readOnly).toBeUndefined()
  })

  test('of two of them none is chosen', async () => {
    const both = [file('model.json'), file('other.json', folder.text('model.json'))]
    await expect(openSession().api.survey(both)).rejects.toThrow('other.json: there are two files with a model')
  })
})
