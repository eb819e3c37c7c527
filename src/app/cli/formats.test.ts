import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {adfa, adfaDone, adfaJson, testFolder} from './test-run.ts'

const folder = testFolder()

describe('adfa reads votes', () => {
  /** Sixty documents of two classes: words and three sources that depend on the class, each silent or wrong now and then. */
  function documents(first: number) {
    return Array.from({length: 60}, (_, at) => {
      const label = (at + first) % 2
      const voteOf = (source: number) => ((at + source) % 7 === 0 ? 1 - label : label)
      const votes = [0, 1, 2].flatMap(source =>
        (at + source) % 3 === 0 ? [] : [[`lf${source}`, CLASSES[voteOf(source)]] as const]
      )
      const text = `${label === 0 ? 'song lovely' : 'win prize'} word${at % 5}`
      return {id: String(at), text, tags: [CLASSES[label]], votes: Object.fromEntries(votes)}
    })
  }
  const CLASSES = ['HAM', 'SPAM']

  function votesTable(): string {
    const lines = documents(0).map(({id, text, votes}) => [id, text, votes.lf0, votes.lf1, votes.lf2].join(','))
    return `id,text,a,b,c\n${lines.join('\n')}\n`
  }

  const classes = () => folder.write('classes.json', '{"$exclusive": [["HAM", "SPAM"]]}')

  test('adfa fit and evaluate take votes for exclusive classes', async () => {
    const train = folder.write('train.jsonl', documents(0))
    const model = folder.at('votes.model')
    await adfaDone('fit', train, '--anchors', classes(), '--noise', 'irreducible', '-o', model)
    expect(JSON.parse(folder.text('votes.model')).exclusive).toEqual([['HAM', 'SPAM']])
    const test = folder.write('test.jsonl', documents(1))
    const result = await adfaJson('evaluate', model, test, '--train', train, '--baselines')
    const figures = {
      classes: ['HAM', 'SPAM'],
      accuracy: expect.any(Number),
      macroF1: expect.any(Number),
      f1: {HAM: expect.any(Number), SPAM: expect.any(Number)}
    }
    expect(result).toMatchObject({groups: [figures]})
    for (const name of ['majority-vote', 'dawid-skene', 'accuracy-model', 'majority-regression', 'supervised'])
      expect(result).toMatchObject({baselines: {[name]: {groups: [figures]}}})
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

  test('adfa noise has a table of sources: of rows, columns and counts, with labels and without', async () => {
    const own = [folder.write('train.jsonl', documents(0)), '--anchors', classes()]
    const table = await adfaDone('noise', ...own)
    expect(table).toMatch(/HAM +\d+% +- +- +balance of classes/)
    expect(table).toMatch(/Sources of votes for 'HAM', 'SPAM', worst first; Krippendorff's alpha 0\.\d\d\n/)
    expect(table).toMatch(/\nsource +accuracy +by +votes +covers +most often wrong\n/)
    expect(table.match(/\nlf[012] +\d+% \(\d+-\d+\) +estimate +40 +67%/g)).toHaveLength(3)
    expect(table).toMatch(/3 of 3 sources have no labels: accuracy is an estimate/)
    const rows = table.split('\n').filter(line => /^(source|lf\d) /.test(line))
    expect(Math.max(...rows.map(({length}) => length))).toBeLessThanOrEqual(100)
    const labelled = (await adfaJson('noise', ...own, '--label-share', '1')) as Sources
    expect(labelled.groups).toMatchObject([{classes: ['HAM', 'SPAM'], alpha: expect.any(Number)}])
    // Each source is wrong in a seventh of its votes, about.
    for (const source of labelled.sources)
      expect(source).toMatchObject({group: 0, basis: 'labels', votes: 40, accuracy: {value: expect.closeTo(0.86, 1)}})
    expect(labelled.sources[0].confusion).toMatchObject([
      {vote: 'HAM', truth: {HAM: expect.any(Number)}},
      {vote: 'SPAM'}
    ])
    await adfaDone('count', ...own, '-o', folder.at('w.counts'))
    const plain = (await adfaJson('noise', ...own)) as Sources
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
