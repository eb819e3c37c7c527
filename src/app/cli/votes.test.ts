import {describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, refused, testFolder} from './test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
const CLASSES = ['HAM', 'SPAM']
const classes = folder.write('classes.json', JSON.stringify({$exclusive: [CLASSES]}))

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

const train = folder.write('train.jsonl', documents(0))
const lines = documents(0).map(({id, text, votes}) => [id, text, votes.lf0, votes.lf1, votes.lf2].join())
const table = folder.write('votes.csv', `id,text,a,b,c\n${lines.join('\n')}\n`)

describe('votes', () => {
  test('adfa fit and evaluate take votes for exclusive classes', async () => {
    await adfaDone`fit ${train} --anchors ${classes} --noise irreducible -o ${model}`
    expect(folder.json('model.json').exclusive).toEqual([CLASSES])
    await adfaDone`report ${model} -o ${folder.at('votes.html')}`
    expect(folder.text('votes.html')).toContain('It excludes SPAM.')
    const held = folder.write('test.jsonl', documents(1))
    const result = await adfaJson`evaluate ${model} ${held} --train ${train} --baselines`
    const number = expect.any(Number)
    const groups = [{classes: CLASSES, accuracy: number, macroF1: number, f1: {HAM: number, SPAM: number}}]
    expect(result).toMatchObject({groups})
    for (const name of ['majority-vote', 'dawid-skene', 'accuracy-model', 'majority-regression', 'supervised'])
      expect(result.baselines[name]).toMatchObject({groups})
  })

  test('adfa count --votes reads columns of a table, with and without anchors', async () => {
    const sources = {votes: ['a', 'b', 'c']}
    const named = folder.write('votes.json', JSON.stringify({HAM: sources, SPAM: sources}))
    const columns = [table, '--votes', 'a,b', '--votes', 'c']
    await adfaDone`count ${columns} -o ${folder.at('a.counts')}`
    await adfaDone`count ${columns} --anchors ${named} -o ${folder.at('b.counts')}`
    expect(folder.bytes('b.counts')).toEqual(folder.bytes('a.counts'))
    expect(await adfa`count ${table} --votes a,d -o ${model}`).toEqual(refused(1, /there is no column "d"/))
  })

  test('adfa fit names votes for no concept, and refuses repeated ids', async () => {
    const slips = Array.from({length: 400}, (_, at) => {
      const vote = at === 7 ? 'spma' : ['spam', 'ham', ''][at % 3]
      return `${at},w${at % 9} u${at % 4},${vote},${at % 4 ? '' : 'ham'}`
    })
    const fit = ['fit', folder.write('slips.csv', `id,text,a,b\n${slips.join('\n')}\n`), '--votes', 'a,b', '-o', model]
    const groups = folder.write('groups.json', '{"$exclusive": [["ham", "spam"]]}')
    expect((await adfa`${fit} --anchors ${groups}`).stderr).toMatch(
      /votes for 'spma' are ordinary words, .*; did you mean "spam" by "spma"\?/
    )
    const labels = documents(0).map(({id, tags}) => ({id, labels: {HAM: tags[0] === 'HAM', SPAM: tags[0] === 'SPAM'}}))
    const twice = [train, folder.write('copy.jsonl', documents(0)), '--labels', folder.write('labels.jsonl', labels)]
    expect(await adfa`fit ${twice} -o ${model}`).toEqual(refused(1, /120 documents match 60 labels, since ids repeat/))
  })

  test('adfa doctor has a table of sources: of rows, columns and counts, with labels and without', async () => {
    const own = [train, '--anchors', classes]
    const printed = await adfaDone`doctor ${own}`
    expect(printed).toMatch(/HAM +- +- +- +balance of classes/)
    expect(printed).toMatch(/Sources of votes for 'HAM', 'SPAM', worst first; Krippendorff's alpha 0\.\d\d \(1 is/)
    expect(printed).toMatch(/\nsource +accuracy +by +votes +covers +most often wrong\n/)
    expect(printed.match(/\nlf[012] +[\d.]+% \([\d.]+% to [>\d.]+%\) +estimate +40 +67%/g)).toHaveLength(3)
    const labelled = await adfaJson`doctor ${own} --label-share 1`
    expect(labelled.groups).toMatchObject([{classes: CLASSES, alpha: expect.any(Number)}])
    // Each source is wrong in a seventh of its votes, about.
    for (const source of labelled.sources)
      expect(source).toMatchObject({group: 0, basis: 'labels', votes: 40, accuracy: {value: expect.closeTo(0.86, 1)}})
    await adfaDone`count ${own} -o ${folder.at('w.counts')}`
    const {sources} = await adfaJson`doctor ${own}`
    expect(await adfaJson`doctor ${folder.at('w.counts')}`).toMatchObject({sources})
    const columns = await adfaDone`doctor ${table} --votes a,b,c`
    expect(columns).toMatch(
      /for 'HAM', 'not HAM'[\s\S]*'SPAM', 'not SPAM'[\s\S]*\(not measured\): there is no interval/
    )
  })

  test('adfa fit counts votes against a concept as those for its opposite, where that is a class', async () => {
    const voted = Array.from({length: 200}, (_, id) => ({
      id,
      text: `w${id % 7} ${id % 4 === 0 ? 'fever' : 'cold'}`,
      votes: {one: id % 4 === 0, two: id % 4 === 0 || id % 9 === 0, three: id % 4 === 0 && id % 5 > 0}
    }))
    const docs = folder.write('asked.jsonl', voted)
    const sources = '{"votes":["one","two","three"]}'
    const anchors = `{"ill":${sources},"not ill":${sources},"$exclusive":[["ill","not ill"]]}`
    await adfaDone`fit ${docs} --anchors ${folder.write('asked.json', anchors)} -o ${model}`
    // A quarter is ill; 200 documents, and sources that are wrong in one vote of ten.
    expect(Math.abs(folder.model('model.json').concepts[0].prevalence - 0.25)).toBeLessThan(0.1)
  })
})
