import {beforeAll, describe, expect, test} from 'vitest'
import {testFolder} from '../cli/test-run.ts'
import {openProject, type Project, projectToText} from '../project/index.ts'
import {adfaThere, file, fileSession, type TestSession} from './test-session.ts'

const folder = testFolder()

const run = (...args: readonly string[]) => adfaThere(folder, ...args, '--quiet', '--no-project')

describe('what the studio saves of its model is what the command line writes', () => {
  let session: TestSession
  let project: Project
  const rows = Array.from({length: 700}, (_, n) => {
    const tags = [...(n % 3 === 0 ? ['fever'] : []), ...(n % 4 === 0 ? ['cough'] : []), ...(n % 5 === 0 ? ['a,b'] : [])]
    const words = tags.flatMap(tag => [`${tag[0]}y`, `${tag[0]}ish`, ...((n * 7) % 10 < 6 ? [`is${tag[0]}`] : [])])
    return {id: n, text: `visit w${n % 17} w${n % 13} ${words.join(' ')}`, tags}
  })

  beforeAll(async () => {
    folder.write('visits.jsonl', rows)
    const anchor = (concept: string, ...any: string[]) => ({concept, any, not: [], rates: undefined})
    ;({session, project} = await fileSession([file('visits.jsonl', folder.text('visits.jsonl'))], {
      name: 'Visits & "more"',
      reading: {text: ['text'], vocabulary: 60},
      // One anchor never fires: the concept is left out of the model.
      anchors: [anchor('fever', 'isf'), anchor('cough', 'isc', 'coughs'), anchor('a,b', 'isa'), anchor('none', 'zzz')],
      documents: {files: ['visits.jsonl'], count: rows.length, hash: ''}
    }))
    folder.write('model.json', await session.text('model'))
    folder.write('documents.counts', await session.bytes('counts'))
  }, 60_000)

  test('report.html, to the byte', async () => {
    await run('report', 'model.json', '--counts', 'documents.counts', '--title', project.name, '-o', 'report.html')
    const saved = await session.text('report')
    expect(saved).toBe(folder.text('report.html'))
    expect(saved).toContain('<title>Visits &amp; ')
    expect(saved).toContain('The doctor’s findings')
  }, 60_000)

  test('with figures once the model is evaluated, as adfa report --data writes them', async () => {
    await session.api.evaluate({on: 'learned'})
    const text = await session.text('report')
    const data = ['--counts', 'documents.counts', '--data', 'visits.jsonl']
    await run('report', 'model.json', ...data, '--title', project.name, '-o', 'report.html')
    expect(text).toBe(folder.text('report.html'))
    // The figures of simpler methods are there, as text.
    expect(text).toMatch(/id="evaluation"[\s\S]*noisy-or/)
  }, 60_000)

  test('a project with its model is the project file with model.json inside, to the byte', async () => {
    const {name, parts} = await session.api.export('project-with-model')
    const text = Buffer.concat(parts).toString()
    expect(name).toBe('Visits & -more--with-model.adfa.json')
    const opened = openProject(text, name)
    expect(opened.model).toBe(folder.text('model.json'))
    expect(opened.project.model).toBeUndefined()
    const plain = await session.text('project')
    expect(text.slice(0, text.indexOf('"model": '))).toBe(plain.slice(0, plain.indexOf('"model": ')))
    expect(projectToText(opened.project)).toBe(plain)
  })

  test.each([
    ['bif', 'bif', 'network.bif'],
    ['dot', 'dot', 'network.dot'],
    ['uai', 'uai', 'network.uai'],
    ['edges-csv', 'csv', 'edges.csv']
  ] as const)('the network as %s', async (what, to, name) => {
    const file = await session.api.export(what)
    await run('export', 'model.json', '--to', to, '-o', name)
    expect(file.name).toBe(name)
    expect(Buffer.concat(file.parts).toString()).toBe(folder.text(name))
  })
})
