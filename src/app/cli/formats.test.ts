import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {adfa, adfaDone, adfaJson, documentFixture, testFolder} from './test-run.ts'

const folder = testFolder()

/** Questions whose title holds their tag or not, as a dump has them, with answers in between. */
function posts(): string {
  const rows = Array.from({length: 300}, (_, at) => {
    const tags = [at % 2 === 0 ? 'apple' : 'pear', ...(at % 3 === 0 ? ['plum'] : [])]
    const named = tags.filter((_, place) => (at + place) % 4 !== 3)
    const row = `<row Id="${at}" PostTypeId="1" Title="${named.join(' ')} &amp; more" Body="&lt;p&gt;word${at % 7} ${tags[0]}ish&lt;/p&gt;" Tags="${tags.map(tag => `&lt;${tag}&gt;`).join('')}" />`
    return `${row}\n<row Id="${at + 1000}" PostTypeId="2" Body="an answer" />`
  })
  return `<?xml version="1.0" encoding="utf-8"?>\n<posts>\n${rows.join('\n')}\n</posts>\n`
}

const paper = ['--anchors-from-tags', 'title', '--top-tags', '3', '--min-tags', '1', '--noise', 'labels']

describe('adfa reads every format by its name', () => {
  test('adfa fit gives one model from Posts.xml, from its gzip and from the same questions as a Kaggle table', async () => {
    const xml = posts()
    folder.write('Posts.xml', xml)
    folder.write('Posts.xml.gz', gzipSync(xml))
    const cells = [...xml.matchAll(/Id="(\d+)" PostTypeId="1" Title="([^"]*)" Body="([^"]*)" Tags="([^"]*)"/g)]
    const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    const table = cells.map(([, id, title, body, tags]) => [
      id,
      plain(title),
      plain(body),
      plain(tags).replaceAll('><', ' ').replace(/[<>]/g, '')
    ])
    const lines = [['Id', 'Title', 'Body', 'Tags'], ...table].map(row => row.map(cell => `"${cell}"`).join(','))
    folder.write('Train.csv', `${lines.join('\n')}\n`)
    for (const name of ['Posts.xml', 'Posts.xml.gz', 'Train.csv'])
      await adfaDone('fit', folder.at(name), ...paper, '-o', folder.at(`${name}.json`))
    const model = folder.text('Posts.xml.json')
    expect(
      JSON.parse(model)
        .concepts.map(({name}: {name: string}) => name)
        .toSorted()
    ).toEqual(['apple', 'pear', 'plum'])
    expect(folder.text('Posts.xml.gz.json')).toBe(model)
    expect(folder.text('Train.csv.json')).toBe(model)
  })

  test('adfa count reads dumps, Parquet and ARFF', async () => {
    const files = {
      'android.stackexchange.com.7z': '{"time": "time", "double": "double"}',
      'notes.parquet': '{"chest pain": "chest pain", "alcohol": "etoh"}',
      'notes.arff': '{"chest pain": "chest", "alcohol": "etoh"}'
    }
    for (const [name, anchors] of Object.entries(files)) {
      const options = ['--anchors', folder.write('any.json', anchors), '-o', folder.at(`${name}.counts`)]
      const counted = await adfaJson('count', documentFixture(name), ...options)
      expect(counted, name).toMatchObject({documents: 3, concepts: 2})
    }
  })

  test('adfa experiment works from a dump in one command', async () => {
    folder.write('Posts.xml', posts())
    const data = ['--data', folder.at('Posts.xml'), '--top-tags', '3', '--min-tags', '1']
    const {documents, concepts} = (await adfaJson('experiment', 'factors', ...data, '-o', folder.at('dump'))) as {
      documents: number
      concepts: number
    }
    expect({documents, concepts}).toEqual({documents: 300, concepts: 3})
  })
})

describe('adfa reads votes', () => {
  /** Sixty documents of two classes: words and three sources that depend on the class, each silent or wrong now and then. */
  function documents(first: number): Record<string, {label: number; weak_labels: number[]; data: {text: string}}> {
    const entries = Array.from({length: 60}, (_, at) => {
      const label = (at + first) % 2
      const votes = [0, 1, 2].map(source =>
        (at + source) % 3 === 0 ? -1 : (at + source) % 7 === 0 ? 1 - label : label
      )
      const text = `${label === 0 ? 'song lovely' : 'win prize'} word${at % 5}`
      return [String(at), {label, weak_labels: votes, data: {text}}]
    })
    return Object.fromEntries(entries)
  }

  function votesTable(): string {
    const lines = Object.entries(documents(0)).map(([id, {weak_labels, data}]) =>
      [id, data.text, ...weak_labels.map(vote => ['HAM', 'SPAM'][vote] ?? '')].join(',')
    )
    return `id,text,a,b,c\n${lines.join('\n')}\n`
  }

  test('adfa fit and evaluate take WRENCH files as they are; the same votes in JSON Lines and CSV give the same posteriors', async () => {
    folder.write('label.json', '{"0": "HAM", "1": "SPAM"}')
    folder.write('train.json.gz', gzipSync(JSON.stringify(documents(0))))
    folder.write('test.json', JSON.stringify(documents(1)))
    const model = folder.at('votes.model')
    await adfaDone('fit', folder.at('train.json.gz'), '--noise', 'irreducible', '-o', model)
    expect(JSON.parse(folder.text('votes.model')).exclusive).toEqual([['HAM', 'SPAM']])
    const trained = ['--train', folder.at('train.json.gz'), '--baselines']
    const result = await adfaJson('evaluate', model, folder.at('test.json'), '--format', 'wrench', ...trained)
    const figures = {
      classes: ['HAM', 'SPAM'],
      accuracy: expect.any(Number),
      macroF1: expect.any(Number),
      f1: {HAM: expect.any(Number), SPAM: expect.any(Number)}
    }
    expect(result).toMatchObject({groups: [figures]})
    for (const name of ['majority-vote', 'dawid-skene', 'accuracy-model', 'majority-regression', 'supervised'])
      expect(result).toMatchObject({baselines: {[name]: {groups: [figures]}}})
    const plain = Object.entries(documents(1)).map(([id, {weak_labels, data}]) => {
      const named = weak_labels.map((vote, at) => [`lf${at}`, ['HAM', 'SPAM'][vote] ?? null])
      return {id, ...data, votes: Object.fromEntries(named)}
    })
    folder.write('test.jsonl', plain.map(row => JSON.stringify(row)).join('\n'))
    await adfaDone('predict', model, folder.at('test.json'), '-o', folder.at('a.jsonl'))
    await adfaDone('predict', model, folder.at('test.jsonl'), '-o', folder.at('b.jsonl'))
    expect(folder.text('b.jsonl')).toBe(folder.text('a.jsonl'))
  })

  test('adfa count --votes reads columns of a table, with and without anchors', async () => {
    folder.write('votes.csv', votesTable())
    folder.write('votes.json', '{"HAM": {"votes": ["a", "b", "c"]}, "SPAM": {"votes": ["a", "b", "c"]}}')
    const columns = [folder.at('votes.csv'), '--votes', 'a,b', '--votes', 'c']
    await adfaDone('count', ...columns, '-o', folder.at('a.counts'))
    await adfaDone('count', ...columns, '--anchors', folder.at('votes.json'), '-o', folder.at('b.counts'))
    expect(folder.text('b.counts')).toBe(folder.text('a.counts'))
    const {code, stderr} = await adfa('count', folder.at('votes.csv'), '--votes', 'a,d', '-o', folder.at('c.counts'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no column "d"')])
  })

  test('adfa fit asks about classes that look like slips, and names votes for no concept', async () => {
    const lines = Array.from({length: 400}, (_, at) => {
      const vote = at === 7 ? 'spma' : ['spam', 'ham', ''][at % 3]
      return `${at},w${at % 9} u${at % 4},${vote},${at % 4 ? '' : 'ham'}`
    })
    folder.write('slips.csv', `id,text,a,b\n${lines.join('\n')}\n`)
    const fit = (...args: readonly string[]) =>
      adfa('fit', folder.at('slips.csv'), '--votes', 'a,b', '-o', folder.at('slips.model'), ...args)
    expect((await fit()).stderr).toContain(
      'few documents have votes for \'spma\', which makes it a concept; did you mean "spam" by "spma"?'
    )
    folder.write('groups.json', '{"$exclusive": [["ham", "spam"]]}')
    const {code, stderr} = await fit('--anchors', folder.at('groups.json'))
    expect([code, stderr]).toEqual([0, expect.stringContaining("votes for 'spma' are ordinary words")])
    expect(JSON.parse(folder.text('slips.model')).exclusive).toEqual([['ham', 'spam']])
  })

  interface Sources {
    readonly groups: readonly object[]
    readonly sources: readonly {source: string; group: number; basis: string; votes: number; confusion: object[]}[]
  }

  test('adfa noise has a table of sources: of WRENCH files, rows, columns and counts, with labels and without', async () => {
    folder.write('label.json', '{"0": "HAM", "1": "SPAM"}')
    folder.write('train.json', JSON.stringify(documents(0)))
    const table = await adfaDone('noise', folder.at('train.json'))
    expect(table).toMatch(/HAM +\d+% +\d+% +\d+% +balance of classes/)
    expect(table).toMatch(/Sources of votes for 'HAM', 'SPAM', worst first; Krippendorff's alpha 0\.\d\d\n/)
    expect(table).toMatch(/\nsource +accuracy +by +votes +covers +most often wrong\n/)
    expect(table.match(/\nlf[012] +\d+% \(\d+-\d+\) +estimate +40 +67%/g)).toHaveLength(3)
    expect(table).toMatch(/3 of 3 sources have no labels: accuracy is an estimate/)
    const rows = table.split('\n').filter(line => /^(source|lf\d) /.test(line))
    expect(Math.max(...rows.map(({length}) => length))).toBeLessThanOrEqual(100)
    const labelled = (await adfaJson('noise', folder.at('train.json'), '--label-share', '1')) as Sources
    expect(labelled.groups).toMatchObject([{classes: ['HAM', 'SPAM'], alpha: expect.any(Number)}])
    // Each source is wrong in a seventh of its votes, about.
    for (const source of labelled.sources)
      expect(source).toMatchObject({group: 0, basis: 'labels', votes: 40, accuracy: {value: expect.closeTo(0.86, 1)}})
    expect(labelled.sources[0].confusion).toMatchObject([
      {vote: 'HAM', truth: {HAM: expect.any(Number)}},
      {vote: 'SPAM'}
    ])
    await adfaDone('count', folder.at('train.json'), '-o', folder.at('w.counts'))
    const plain = (await adfaJson('noise', folder.at('train.json'))) as Sources
    expect((await adfaJson('noise', folder.at('w.counts'))) as Sources).toMatchObject({sources: plain.sources})
    const columns = await adfaDone('noise', folder.write('columns.csv', votesTable()), '--votes', 'a,b,c')
    expect(columns).toMatch(/Sources of votes for 'HAM', 'not HAM'[\s\S]*\(not measured\): there is no interval/)
    expect(columns).toMatch(/Sources of votes for 'SPAM', 'not SPAM'/)
  })

  test('adfa fit notes votes against a concept, with the lines that count them; these make a pair of classes', async () => {
    const voted = Array.from({length: 200}, (_, id) => ({
      id,
      text: `w${id % 7} ${id % 4 === 0 ? 'fever' : 'cold'}`,
      votes: {one: id % 4 === 0, two: id % 4 === 0 || id % 9 === 0, three: id % 4 === 0 && id % 5 > 0}
    }))
    const docs = folder.write('asked.jsonl', voted)
    const list = '"votes": ["one", "two", "three"]'
    const fitWith = (anchors: string) =>
      adfa('fit', docs, '--anchors', folder.write('asked.json', anchors), '-o', folder.at('asked.model'))
    expect((await fitWith(`{"ill": {${list}}}`)).stderr).toContain(
      `votes against 'ill' are ordinary words; to count them as votes, add to the anchors: "not ill":{"votes":["one","two","three"]},"$exclusive":[["ill","not ill"]]`
    )
    const pair = `{"ill": {${list}}, "not ill": {${list}}, "$exclusive": [["ill", "not ill"]]}`
    const {code, stderr} = await fitWith(pair)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('votes against')])
    const {concepts} = JSON.parse(folder.text('asked.model')) as {concepts: {name: string; prevalence: number}[]}
    // A quarter is ill; 200 documents, and sources that are wrong in one vote of ten.
    expect(concepts[0].prevalence).toBeGreaterThan(0.15)
    expect(concepts[0].prevalence).toBeLessThan(0.35)
  })

  test('adfa noise ranks annotators by their agreement, without labels', async () => {
    const accuracies = {ann: 0.95, bob: 0.85, cat: 0.75, dan: 0.5}
    const random = rng(4)
    const voted = Array.from({length: 400}, (_, id) => {
      const truth = random.next() < 0.35
      const vote = (accuracy: number) => (random.next() < accuracy === truth ? 'ill' : 'well')
      const votes = Object.entries(accuracies).map(([name, accuracy]) => [name, vote(accuracy)])
      return {id, text: `w${id % 9}`, votes: Object.fromEntries(votes)}
    })
    const docs = folder.write('annotators.jsonl', voted)
    const exclusive = folder.write('ill.json', '{"$exclusive": [["ill", "well"]]}')
    const found = (await adfaJson('noise', docs, '--anchors', exclusive)) as {
      concepts: {used: {basis: string; prevalence: {value: number}}}[]
      sources: {source: string; accuracy: {value: number}}[]
    }
    expect(found.sources.map(({source}) => source)).toEqual(['dan', 'cat', 'bob', 'ann'])
    // 400 votes: a standard error of .025 by labels; three times that by agreement.
    for (const {source, accuracy} of found.sources)
      expect(Math.abs(accuracy.value - accuracies[source as keyof typeof accuracies])).toBeLessThan(0.08)
    const shares = found.concepts.map(({used}) => used.prevalence.value)
    expect(shares[0] + shares[1]).toBeCloseTo(1, 2)
    expect(found.concepts[0].used.basis).toBe('balance')
    await adfaDone('fit', docs, '--anchors', exclusive, '-o', folder.at('ill.model'))
    await adfaDone('report', folder.at('ill.model'), '-o', folder.at('ill.html'))
    const page = folder.text('ill.html')
    expect(page).toContain('It excludes well.')
    expect(page).toContain('was estimated from the votes for all classes, without any label: it is not measured.')
    expect(page).toContain('the most probable class of each group is reported.')
    const free = await adfa('fit', docs, '-o', folder.at('free.model'))
    expect(free.stderr).toContain('if exactly one holds, write an anchors file: {"$exclusive":[["ill","well"]]}')
  })

  test('adfa fit refuses labels where ids of documents repeat', async () => {
    const rows = Array.from({length: 40}, (_, id) => ({id, text: `w${id % 5}`, votes: {a: id % 2 ? 'x' : 'y'}}))
    const [one, two] = ['one', 'two'].map(name => folder.write(`${name}.jsonl`, rows))
    const labels = rows.map(({id}) => ({id, labels: {x: id % 2 === 1, y: id % 2 === 0}}))
    const file = folder.write('repeated.jsonl', labels)
    const {code, stderr} = await adfa('fit', one, two, '--labels', file, '-o', folder.at('no.model'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('80 documents match 40 labels, since ids repeat')])
  })

  test('adfa noise names a source of any length in 100 columns, and shows no control character', async () => {
    const long = `${'very '.repeat(20)}long\u001b[2J`
    const voted = Array.from({length: 60}, (_, id) => ({
      id,
      text: `word${id % 3}`,
      votes: {
        [long]: `the ${'long '.repeat(9)}class ${id % 2}`,
        other: `the ${'long '.repeat(9)}class ${id % 3 === 0 ? 0 : 1}`
      }
    }))
    const table = await adfaDone('noise', folder.write('long.jsonl', voted))
    const lines = table.split('\n').filter(line => /^(source|very|other) /.test(line))
    expect(lines).toHaveLength(6)
    expect(Math.max(...lines.map(({length}) => length))).toBeLessThanOrEqual(100)
    expect(table).not.toContain('\u001b')
  })
})
