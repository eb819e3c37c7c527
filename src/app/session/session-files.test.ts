import {gzipSync} from 'node:zlib'
import {beforeAll, describe, expect, it} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import type {SourceFile} from '../../read/reading/index.ts'
import {adfaIn, testFolder} from '../cli/test-run.ts'
import {type Project, projectToText} from '../project/index.ts'
import {adfaThere, emptyProject, file, fileSession, openSession, type TestSession} from './test-session.ts'

const folder = testFolder()

/** A file that repeats some bytes. */
function longFile(name: string, content: string, size: number): SourceFile {
  const bytes = new TextEncoder().encode(content)
  const part = (length: number) => Uint8Array.from({length}, (_, at) => bytes[at % bytes.length]).buffer
  return {name, size, slice: (from, to) => ({arrayBuffer: async () => part(to - from)})}
}

/** Notes with a condition that is named, implied by other words, or denied. */
function notes(count: number): string {
  const random = rng(7)
  const pick = (list: readonly string[]) => list[Math.floor(random.next() * list.length)]
  const lines = Array.from({length: count}, (_, at) => {
    const parts = [pick(['seen today', 'brought by family', 'walked in', 'sent by clinic'])]
    if (random.next() < 0.3) parts.push(pick(['fever since monday', 'chills and sweats', 'fever, hot skin, shivering']))
    if (random.next() < 0.3) parts.push(pick(['"cough" with sputum', 'wheeze; cough', 'short of breath, sputum']))
    if (random.next() < 0.4) parts.push(pick(['denies fever', 'no cough', 'denies chills or fever', 'without sputum']))
    const note = parts.join(', ').replaceAll('"', '""')
    return `v${at + 1},"${note}",${20 + Math.floor(random.next() * 70)},${pick(['m', 'f'])}`
  })
  return `visit,note,age,sex\n${lines.join('\n')}\n`
}

const ANCHORS =
  '{"fever": ["fever", "/chill(s|ed)/"], "cough": {"any": ["cough"], "not": ["without sputum"]}, "later": []}'

describe('a table of notes with negation', () => {
  let session: TestSession
  let project: Project
  const csv = notes(1500)

  beforeAll(async () => {
    const reading = {id: 'visit', text: ['note'], number: ['age:5'], category: ['sex'], negation: true, vocabulary: 300}
    ;({session, project} = await fileSession([file('notes.csv', csv), file('anchors.json', ANCHORS)], {reading}))
  })

  it('is recognised, with its columns', async () => {
    const survey = await openSession().api.survey([file('notes.csv.gz', gzipSync(csv)), file('anchors.json', ANCHORS)])
    expect(survey.files).toMatchObject([{kind: 'documents', format: 'csv'}, {kind: 'anchors'}])
    expect(survey.columns.map(({role}) => role)).toEqual(['id', 'text', 'number', 'category'])
    const reading = {id: 'visit', text: ['note'], category: ['sex'], negation: true}
    expect(survey).toMatchObject({rows: 1500, hasMore: false, reading})
    const plain = file('plain.csv', csv.replaceAll(/denies |no |without /g, ''))
    const bare = await openSession().api.survey([plain, file('anchors.json', ANCHORS)])
    expect(bare.reading.negation).toBeUndefined()
  })

  it('shows where words are, and which are negated', async () => {
    const {rows} = await session.api.preview(project.reading, project.anchors)
    const texts = rows.flatMap(({parts}) => parts.filter(({isText}) => isText))
    const [first] = csv.split('\n').slice(1)
    expect(texts[0].spans.map(({text}) => text).join('')).toBe(
      first.split('"').slice(1, -1).join('"').replaceAll('""', '"')
    )
    const spans = texts.flatMap(part => part.spans)
    expect(spans.some(({kind, text, isNegated}) => kind === 'anchor' && text === 'cough' && !isNegated)).toBe(true)
    expect(spans.some(({isNegated, text}) => isNegated && text === 'fever')).toBe(true)
  })

  it('counts members without negated mentions', async () => {
    const view = await session.api.concept('fever')
    const fever = csv.split('\n').filter(line => /fever (since)|fever, hot/.test(line)).length
    expect(view.members[0]).toMatchObject({feature: 'fever', documents: fever})
    expect((await session.api.concept('later')).members).toEqual([])
    expect(session.state().concepts.find(({name}) => name === 'later')).toMatchObject({
      documents: 0,
      refused: 'it has no member yet'
    })
    const probe = await session.api.probe('cough', '/sput\\w+/')
    expect(probe.examples[0]).toMatchObject({match: 'sputum'})
  })

  it('has the bytes of the command line: model, predictions, counts', async () => {
    folder.write('notes.csv', csv)
    const documents = {files: ['notes.csv'], count: 1500, hash: ''}
    folder.write('notes.adfa.json', projectToText({...project, documents}))
    const done = (...args: string[]) => adfaThere(folder, ...args, '--quiet')
    await done('fit', '--project', 'notes.adfa.json', '-o', 'model.json')
    expect(folder.text('model.json')).toBe(await session.text('model'))
    for (const name of ['predictions.jsonl', 'predictions.csv'] as const) {
      await done('predict', 'model.json', 'notes.csv', '-o', name)
      expect(folder.text(name)).toBe(await session.text(name))
    }
    await done('count', '--project', 'notes.adfa.json', '-o', 'notes.counts')
    expect(folder.bytes('notes.counts').equals(await session.bytes('counts'))).toBe(true)
  })
})

describe('tagged documents, a quarter of them held out', () => {
  // Some rows have neither an id nor tags.
  const rows = notes(1200)
    .split('\n')
    .slice(1, -1)
    .map((line, at) => {
      const text = line.split('"').slice(1, -1).join('"')
      const tags = ['fever', 'cough'].filter(name => text.includes(name))
      return {...(at % 5 > 0 && {id: at + 1}), text: `${text} ${at % 7}`, ...(at % 3 > 0 && {tags})}
    })
  const jsonl = rows.map(row => `${JSON.stringify(row)}\n`).join('')
  const reading = {text: ['text'], holdOut: true}
  let session: TestSession
  let project: Project
  const done = (...args: string[]) => adfaThere(folder, ...args)

  beforeAll(async () => {
    folder.write('coded.jsonl', jsonl)
    const read = await fileSession([file('coded.jsonl', jsonl), file('anchors.json', ANCHORS)], {reading})
    const {survey, opened} = read
    expect(survey.columns.map(({example}) => example)).toContain('fever')
    expect(opened.documents + opened.heldOut).toBe(1200)
    expect(opened.heldOut / 800).toBeCloseTo(0.25, 1)
    ;({session} = read)
    project = {...read.project, documents: {files: ['coded.jsonl'], count: 1200, hash: opened.hash}}
    folder.write('coded.adfa.json', projectToText({...project, model: 'saved.json'}))
  })

  it('are learned from without them, as by the command line and by the project file', async () => {
    const model = await session.text('model')
    folder.write('anchors.json', await session.text('anchors'))
    const flags = ['--text', 'text', '--hold-out', '--skip-bad-anchors', '--no-project']
    await done('fit', 'coded.jsonl', '--anchors', 'anchors.json', ...flags, '-o', 'model.json', '--quiet')
    expect(folder.text('model.json')).toBe(model)
    await done('run', 'coded.adfa.json', '--quiet')
    expect(folder.text('saved.json')).toBe(model)
    const evaluate = ['evaluate', 'model.json', '--json', '--quiet']
    const byFlag = await done(...evaluate, 'coded.jsonl', '--hold-out')
    expect(await done(...evaluate, '--project', 'coded.adfa.json')).toBe(byFlag)
    const {code} = await adfaIn(folder.path, ...evaluate, 'coded.jsonl', '--labels', 'x.jsonl', '--hold-out')
    expect(code).toBe(2)
  })

  it('are all predicted, in the order of the files, and numbered through all of them', async () => {
    const half = jsonl.indexOf('\n', jsonl.length / 2) + 1
    const parts = {'a.jsonl': jsonl.slice(0, half), 'b.jsonl': jsonl.slice(half)}
    for (const [name, text] of Object.entries(parts)) folder.write(name, text)
    await session.api.survey(Object.entries(parts).map(([name, text]) => file(name, text)))
    await session.api.open(reading)
    await session.ready(project, 2)
    for (const name of ['predictions.jsonl', 'predictions.csv'] as const) {
      await done('predict', 'model.json', ...Object.keys(parts), '-o', name, '--quiet')
      expect(folder.text(name)).toBe(await session.text(name))
    }
  })

  it('are known by the same hash, and named by their place, with and without them', async () => {
    const whole = openSession()
    await whole.api.survey([file('coded.jsonl', jsonl)])
    const opened = await whole.api.open({text: ['text']})
    expect(opened).toMatchObject({documents: 1200, heldOut: 0, hash: project.documents?.hash})
    const {rows: lines} = await session.api.list({}, 0, 200)
    const texts = lines.map(({parts}) => parts[0].spans.map(({text}) => text).join(''))
    expect(texts).toEqual(lines.map(({name}) => rows[Number(name) - 1].text.slice(0, 240)))
  })
})

describe('files', () => {
  const anchors = file('anchors.json', '{"fever": "fever", "cough": "cough"}')

  it('of other kinds are refused, or said to be of no use, and change nothing', async () => {
    const session = openSession()
    await session.api.survey([file('notes.csv', notes(50))])
    await expect(session.api.survey([longFile('big.csv', notes(40), 201_000_000)])).rejects.toThrow(
      'adfa count big.csv'
    )
    await expect(session.api.survey([file('a.csv', '')])).rejects.toMatchObject({name: 'AdfaError'})
    await expect(session.api.survey([anchors, anchors])).rejects.toThrow('two files with anchors')
    await expect(session.api.survey([file('anchors.json', '{"a": 1\n}')])).rejects.toMatchObject({
      code: 'bad-anchors'
    })
    expect((await session.api.open({text: ['note'], id: 'visit'})).documents).toBe(50)
  })

  it('of a project bring its reading, anchors and labels', async () => {
    const {session, project} = await fileSession([file('notes.csv', notes(200)), anchors])
    const labels = await session.api.answer(['fever'])
    await session.ready({...project, labels}, 2)
    const saved = await session.text('project')
    const again = await openSession().api.survey([file('visits.adfa.json', saved)])
    expect(again.project).toEqual({...project, labels, documents: undefined, model: 'model.json'})
    expect(again.files).toMatchObject([{kind: 'project'}])
    const model = file('model.json', await session.text('model'))
    const beside = await openSession().api.survey([model, file('notes.csv', notes(200))])
    expect(beside.warnings[0]).toContain('adfa predict model.json')
    const counts = file('n.counts', await session.bytes('counts'))
    await expect(openSession().api.survey([counts])).rejects.toThrow('adfa fit n.counts')
  })

  it('of a project show columns that it names and the first rows do not have', async () => {
    const session = openSession()
    const {reading} = await session.api.survey([file('notes.csv', notes(200)), anchors])
    const named = {...reading, text: [...reading.text, 'later'], number: ['age:10']}
    await session.api.open(reading)
    await session.set({...emptyProject, name: 'visits', reading: named}, 1)
    const files = [file('visits.adfa.json', await session.text('project')), file('notes.csv', notes(200))]
    const {columns} = await openSession().api.survey(files)
    const shown = columns.map(({name, role, detail}) => [name, role, detail])
    expect(shown).toContainEqual(['later', 'text', ''])
    expect(shown).toContainEqual(['age', 'number', '10'])
  })

  it('with ids that repeat are read with a note, and not labelled', async () => {
    const rows = Array.from({length: 90}, (_, at) => `${at % 3},note ${at % 7} of words ${at % 2 ? 'fever' : 'cough'}`)
    const {session, survey, opened} = await fileSession([file('a.csv', `id,text\n${rows.join('\n')}\n`), anchors])
    expect(survey.columns.find(({name}) => name === 'id')?.role).toBe('skip')
    expect(opened.notes).toEqual(['87 of the 90 documents have the id of an earlier one; they cannot be labelled'])
    await expect(session.api.question()).rejects.toThrow('give each document an id of its own')
  })

  it('with repeated texts are refused where labels name them, as on the command line', async () => {
    const csv = notes(100)
    const {session, project} = await fileSession([file('a.csv', csv), file('b.csv', csv), anchors])
    const labels = await session.api.answer([])
    await session.set({...project, labels}, 2)
    const state = await session.until(({revision, counts}) => revision === 2 && counts.is !== 'computing')
    expect(state.counts).toMatchObject({is: 'failed', message: expect.stringContaining('since ids repeat')})
    await expect(session.api.question()).rejects.toThrow('since ids repeat')
    const stranger = {...labels[0], id: 'nobody'}
    await session.set({...project, labels: [stranger]}, 3)
    const other = await session.until(({revision, counts}) => revision === 3 && counts.is !== 'computing')
    expect(other.counts).toMatchObject({message: expect.stringContaining('its document is not among those counted')})
  })

  it('with a bad row stop the reading, and leave the documents that were open', async () => {
    const session = openSession()
    await session.api.survey([file('notes.csv', notes(60))])
    await session.api.open({text: ['note'], id: 'visit'})
    await session.api.survey([file('bad.jsonl', '{"text": "fever"}\n{"text": 7}\n')])
    await expect(session.api.open({text: ['text']})).rejects.toThrow('bad.jsonl:2')
    await session.set({...emptyProject, reading: {text: ['note'], id: 'visit'}}, 1)
    expect((await session.api.list({}, 0, 1)).total).toBe(60)
  })
})
