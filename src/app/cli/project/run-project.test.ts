import {beforeAll, describe, expect, test} from 'vitest'
import {triageConcepts, triageVisits} from '../../../../test/triage-notes.ts'
import {csvText} from '../../../base/text/index.ts'
import {adfa, adfaDone, adfaJson, testFolder} from '../test-run.ts'

const folder = testFolder()
const project = ['--project', folder.at('adfa.json')]

beforeAll(async () => {
  const rows = triageVisits(800, 4).map(({id, note, sex, age, meds}) => [id, note, sex, age, meds.join('; ')])
  folder.write('notes.csv', csvText([['visit', 'note', 'sex', 'age', 'meds'], ...rows]))
  const files = ['-o', folder.at('adfa.json'), '--anchors', folder.at('anchors.json')]
  await adfaDone('init', folder.at('notes.csv'), '--concepts', triageConcepts.join(), '--yes', ...files)
})

describe('adfa run', () => {
  test('writes the model of adfa fit, a report, and the table of adfa predict', async () => {
    const result = await adfaJson('run', ...project)
    expect(result).toMatchObject({
      documents: 800,
      concepts: triageConcepts.map(name => ({name, anchored: expect.any(Number), tagged: expect.any(Number)})),
      files: {model: folder.at('model.json'), report: folder.at('report.html'), tagged: folder.at('tagged.csv')}
    })
    // Nobody measured rates, so every document where the anchor fires is tagged.
    for (const {anchored, tagged, taggedWithoutAnchor} of (result as {concepts: Record<string, number>[]}).concepts) {
      expect(anchored).toBeGreaterThan(0)
      expect(tagged - taggedWithoutAnchor).toBe(anchored)
    }
    const model = folder.text('model.json')
    await adfaDone('fit', ...project, '-o', folder.at('fitted.json'))
    expect(folder.text('fitted.json')).toBe(model)
    await adfaDone('predict', ...project, '-o', folder.at('predicted.csv'))
    expect(folder.text('predicted.csv')).toBe(folder.text('tagged.csv'))
    expect(folder.text('report.html')).toContain('Concepts in notes.csv')
  })

  test('shows one screen: concepts with intervals, files, and what to do next', async () => {
    const screen = await adfaDone('run', ...project, '--quiet')
    expect(screen).toMatch(/notes\.csv: 800 documents, 4 concepts, \d+ words/)
    expect(screen).toMatch(/^ {2}chest pain +\d+ +unknown +\d+ +\d+ {2}\S/m)
    expect(screen).toMatch(/^next\n {2}adfa label +label 30 to 100 documents/m)
    expect(screen.split('\n').length).toBeLessThan(40)
  })

  test('stops where a person has to decide, with the edit or the flag that settles it, and writes nothing', async () => {
    const anchors = JSON.parse(folder.text('anchors.json'))
    const bad = folder.write('bad.json', JSON.stringify({...anchors, gout: 'podagra', twice: 'fall'}))
    const files = ['--model', folder.at('bad-model.json')]
    const {code, stdout, stderr} = await adfa('run', ...project, '--anchors', bad, ...files)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/3 of 6 concepts cannot be learned as they are; nothing was written/)
    expect(stderr).toMatch(/ {2}gout: .*\n {4}-> /)
    expect(stderr).toMatch(/Change .*bad\.json, or leave them out: adfa run --skip-bad-anchors/)
    expect(folder.names()).not.toContain('bad-model.json')
    const left = await adfaJson('run', ...project, '--anchors', bad, ...files, '--skip-bad-anchors')
    const names = (left as {concepts: {name: string}[]}).concepts.map(({name}) => name)
    expect(names).toContain('asthma')
    expect(names).not.toContain('gout')
  })

  test('asks for adfa init where there is no project', async () => {
    for (const args of [[], [folder.at('notes.csv')]]) {
      const {code, stderr} = await adfa('run', ...args, '--no-project')
      expect([code, stderr]).toEqual([2, expect.stringMatching(/adfa run needs .*; run adfa init notes\.csv/)])
    }
  })

  test('refuses to write over what it reads', async () => {
    const {code, stderr} = await adfa('run', ...project, '--tagged', folder.at('notes.csv'))
    expect([code, stderr]).toEqual([2, expect.stringMatching(/would be lost/)])
    folder.write('tagged.csv', folder.text('notes.csv'))
    const own = await adfa('run', folder.at('tagged.csv'), ...project)
    expect([own.code, own.stderr]).toEqual([2, expect.stringMatching(/--tagged .*tagged\.csv is also read/)])
  })
  test('replaces its own files, but no report and no tagged documents that it did not write or that were changed', async () => {
    const files = ['model', 'report', 'tagged'].flatMap(name => [`--${name}`, folder.at(`own-${name}.csv`)])
    const run = (...args: readonly string[]) => adfa('run', ...project, '--quiet', ...files, ...args)
    const tagged = 'own-tagged.csv'
    expect((await run()).code).toBe(0)
    const written = folder.text(tagged)
    expect((await run('--tagged', folder.at('own-other.jsonl'))).code).toBe(0)
    expect((await run()).code).toBe(0)
    folder.write(tagged, `${written}corrected`)
    const changed = await run()
    expect([changed.code, changed.stderr]).toEqual([2, expect.stringMatching(/own-tagged\.csv exists and is not as/)])
    expect(folder.text(tagged)).toBe(`${written}corrected`)
    expect((await run('--force')).code).toBe(0)
    expect(folder.text(tagged)).toBe(written)
    folder.write('own-report.csv', '<html>mine</html>')
    expect((await run()).stderr).toMatch(/own-report\.csv exists and was not written by adfa run; .*--report/)
    expect(folder.text('own-report.csv')).toBe('<html>mine</html>')
  })

  test('labelled documents carry the answers of people, and tags without an anchor word are counted', async () => {
    const [concept] = triageConcepts
    const visits = triageVisits(800, 4).slice(0, 40)
    const lines = visits.map(({id}, at) => JSON.stringify({id, labels: {[concept]: at % 2 === 0}}))
    const labels = folder.write('answers.jsonl', `${lines.join('\n')}\n`)
    const tagged = folder.at('answered.jsonl')
    const files = ['--model', folder.at('a.json'), '--report', folder.at('a.html'), '--tagged', tagged]
    const screen = await adfaDone('run', ...project, ...files, '--labels', labels)
    expect(screen).toMatch(/In answered\.jsonl, 40 labelled documents have your answers of answers\.jsonl/)
    expect(screen).toMatch(/^ {2}adfa evaluate +how good the tags are/m)
    const documents = folder
      .text('answered.jsonl')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as {posterior: Record<string, number>; tags: string[]})
    expect(Object.keys(documents[0])).toEqual(['visit', 'note', 'sex', 'age', 'meds', 'tags', 'likely', 'posterior'])
    documents.slice(0, 40).forEach(({posterior, tags}, at) => {
      expect([posterior[concept], tags.includes(concept)]).toEqual(at % 2 === 0 ? [1, true] : [0, false])
    })
    const result = (await adfaJson('run', ...project, ...files, '--labels', labels)) as {
      concepts: {tagged: number; taggedWithoutAnchor: number}[]
    }
    const [first] = result.concepts
    expect(first.tagged).toBe(documents.filter(({tags}) => tags.includes(concept)).length)
    expect(first.taggedWithoutAnchor).toBeGreaterThan(0)
    expect(first.taggedWithoutAnchor).toBeLessThan(first.tagged)
  })

  test('JSON Lines keep all fields and the digits of their ids; tags of the documents are not replaced, and lead to the next steps', async () => {
    const ids = triageVisits(800, 4).map((_, at) => String(12345678901234567000n + BigInt(at)))
    const lines = triageVisits(800, 4).map(
      ({note, sex, truth}, at) =>
        `{"id":${ids[at]},"note":${JSON.stringify(note)},"sex":"${sex}","tags":${JSON.stringify(truth)}}\n`
    )
    const notes = folder.write('notes.jsonl', lines.join(''))
    const files = ['model', 'report', 'tagged'].flatMap(name => [`--${name}`, folder.at(`lines-${name}.jsonl`)])
    const anchors = ['--anchors', folder.at('anchors.json'), '--negation']
    const reading = [...anchors, '--text', 'note', '--category', 'sex', '--no-project']
    const screen = await adfaDone('run', notes, ...reading, ...files)
    expect(screen).toMatch(/^next\n +adfa run --label-share 1 .*\n +adfa evaluate +compare with the tags/m)
    const [first] = folder.rows('lines-tagged.jsonl') as Record<string, unknown>[]
    expect(Object.keys(first)).toEqual(['id', 'note', 'sex', 'tags', 'tags (adfa)', 'likely', 'posterior'])
    expect([first.id, first.tags]).toEqual([ids[0], triageVisits(800, 4)[0].truth])
    // Of documents that all have tags, prevalences are known: no interval.
    const measured = await adfa('run', notes, ...reading, ...files, '--label-share', '1')
    expect(measured.stdout).toMatch(/^ {2}\S.* {2}\d[\d.]*% +\d+ +\d+ /m)
    expect(measured.stdout).not.toMatch(/\d% \(/)
    expect(measured.stderr).not.toContain('is not a concept')
    const [concept] = Object.keys(JSON.parse(folder.text('anchors.json')))
    const other = folder.write('other.jsonl', lines.join('').replaceAll(`"${concept}"`, `"${concept.toUpperCase()}-"`))
    const evaluated = await adfa('evaluate', folder.at('lines-model.jsonl'), other, '--no-project')
    expect(evaluated.stderr).toContain(`the tag "${concept.toUpperCase()}-" is not a concept; if it means "${concept}"`)
    expect(evaluated.stderr).toContain(`no document has the tag of '${concept}'`)
    const refit = await adfa('run', other, ...reading, ...files, '--label-share', '1', '--skip-bad-anchors')
    expect(refit.stderr).toContain('is not a concept; if')
  })

  test('adfa evaluate uses the labels of the project where no document has tags', async () => {
    folder.write('labels.jsonl', folder.text('answers.jsonl'))
    const {code, stdout, stderr} = await adfa('evaluate', ...project)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/no document has tags; evaluated by the labels of/)])
    expect(stdout).toMatch(/40 labelled documents/)
    expect((await adfa('evaluate', ...project, '--reliability')).stderr).toMatch(/--reliability needs tagged documents/)
  })
})
