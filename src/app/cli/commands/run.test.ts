import {describe, expect, test, vi} from 'vitest'
import {triageConcepts, triageVisits} from '../../../../test/triage-notes.ts'
import {csvText} from '../../../base/text/index.ts'
import {adfa, adfaDone, adfaJson, endOf, refused, startProgram, testFolder} from '../test-run.ts'

const interruption = vi.hoisted(() => ({isNear: false}))
vi.mock('../drawn-report.ts', async original => {
  const real = await original<typeof import('../drawn-report.ts')>()
  const drawnReport: typeof real.drawnReport = async (...args) => {
    if (interruption.isNear) throw new Error('interrupted')
    return real.drawnReport(...args)
  }
  return {drawnReport}
})

const folder = testFolder()
const [notes, config, anchors] = ['notes.csv', 'adfa.json', 'anchors.json'].map(folder.at)
const project = ['--project', config]
const visits = triageVisits(500, 4)
const rows = visits.map(({id, note, sex, age, meds}) => [id, note, sex, age, meds.join('; ')])
folder.write('notes.csv', csvText([['visit', 'note', 'sex', 'age', 'meds'], ...rows]))
await adfaDone`init ${notes} --concepts ${triageConcepts.join()} --yes -o ${config} --anchors ${anchors}`
const filesNamed = (name: string) =>
  ['model', 'report', 'tagged'].flatMap(part => [`--${part}`, folder.at(`${name}-${part}.jsonl`)])

describe('adfa run', () => {
  test('writes the model of adfa fit, a report, and the table of adfa predict', async () => {
    const {concepts, ...result} = await adfaJson`run ${project}`
    const files = {model: folder.at('model.json'), report: folder.at('report.html'), tagged: folder.at('tagged.csv')}
    expect(result).toMatchObject({documents: 500, files})
    expect(concepts.map(({name}: {name: string}) => name)).toEqual(triageConcepts)
    // Nobody measured rates, so every document where the anchor fires is tagged.
    for (const {anchored, tagged, taggedWithoutAnchor} of concepts) {
      expect(anchored).toBeGreaterThan(0)
      expect(tagged - taggedWithoutAnchor).toBe(anchored)
    }
    await adfaDone`fit ${project} -o ${folder.at('fitted.json')}`
    expect(folder.text('fitted.json')).toBe(folder.text('model.json'))
    await adfaDone`predict ${project} -o ${folder.at('predicted.csv')}`
    expect(folder.text('predicted.csv')).toBe(folder.text('tagged.csv'))
    expect(folder.text('report.html')).toContain('Concepts in notes.csv')
    const screen = await adfaDone`run ${project} --quiet`
    expect(screen).toMatch(/^ {2}chest pain +\d+ +unknown +\d+ +\d+ {2}\S/m)
    expect(screen.split('\n').length).toBeLessThan(40)
  })

  test('stops where a person has to decide, with the edit or the flag that settles it, and writes nothing', async () => {
    const faulty = {...folder.json('anchors.json'), gout: 'podagra', twice: 'fall'}
    const bad = ['--anchors', folder.write('bad.json', JSON.stringify(faulty)), ...filesNamed('bad')]
    const {code, stdout, stderr} = await adfa`run ${project} ${bad}`
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/3 of 6 concepts cannot be learned as they are; nothing was written/)
    expect(stderr).toMatch(/ {2}gout: .*\n {4}-> [\s\S]*Change .*bad\.json, or .* adfa run --skip-bad-anchors/)
    expect(folder.names()).not.toContain('bad-model.jsonl')
    const left = await adfaJson`run ${project} ${bad} --skip-bad-anchors`
    expect(left.concepts).toContainEqual(expect.objectContaining({name: 'asthma'}))
    expect(left.concepts).not.toContainEqual(expect.objectContaining({name: 'gout'}))
  })

  test('asks for adfa init where there is no project', async () => {
    for (const args of [[], [notes]])
      expect(await adfa`run ${args} --no-project`).toEqual(refused(2, /adfa run needs .*; run adfa init notes\.csv/))
  })

  test('refuses to write over what it reads', async () => {
    expect(await adfa`run ${project} --tagged ${notes}`).toEqual(refused(2, /would be lost/))
    const own = folder.write('tagged.csv', folder.text('notes.csv'))
    expect(await adfa`run ${own} ${project}`).toEqual(refused(2, /--tagged .*tagged\.csv is also read/))
  })

  test('replaces its own files, but no report and no tagged documents that it did not write or that were changed', async () => {
    const run = ['run', ...project, '--quiet', ...filesNamed('own')]
    const tagged = 'own-tagged.jsonl'
    await adfaDone(...run)
    const written = folder.text(tagged)
    await adfaDone(...run)
    folder.write(tagged, `${written}corrected`)
    expect(await adfa(...run)).toEqual(refused(2, /own-tagged\.jsonl exists and is not as/))
    expect(folder.text(tagged)).toBe(`${written}corrected`)
    await adfaDone`${run} --force`
    expect(folder.text(tagged)).toBe(written)
    folder.write('own-report.jsonl', '<html>mine</html>')
    expect(await adfa(...run)).toEqual(
      refused(2, /own-report\.jsonl exists and was not written by adfa run; .*--report/)
    )
    expect(folder.text('own-report.jsonl')).toBe('<html>mine</html>')
  })

  test('can be run again after it was interrupted, wherever that was', async () => {
    const run = ['run', ...project, '--quiet', ...filesNamed('again')]
    await adfaDone(...run)
    const first = folder.text('again-tagged.jsonl')
    interruption.isNear = true
    expect((await adfa`${run} --vocabulary 20`).code).toBe(1)
    interruption.isNear = false
    await adfaDone`${run} --vocabulary 20`
    expect(folder.text('again-tagged.jsonl')).not.toBe(first)
    // Its report comes first: with the old table beside it, the run was interrupted between the two.
    folder.write('again-tagged.jsonl', first)
    await adfaDone(...run)
  })

  test('labelled documents carry the answers of people, and tags without an anchor word are counted', async () => {
    const [concept] = triageConcepts
    const answers = visits.slice(0, 40).map(({id}, at) => ({id, labels: {[concept]: at % 2 === 0}}))
    const args = [...project, ...filesNamed('answered'), '--labels', folder.write('labels.jsonl', answers)]
    const screen = await adfaDone`run ${args}`
    expect(screen).toMatch(/In answered-tagged\.jsonl, 40 labelled documents have your answers of labels\.jsonl/)
    expect(screen).toMatch(/^ {2}adfa evaluate +how good the tags are/m)
    const documents: {posterior: Record<string, number>; tags: string[]}[] = folder.rows('answered-tagged.jsonl')
    expect(Object.keys(documents[0])).toEqual(['visit', 'note', 'sex', 'age', 'meds', 'tags', 'likely', 'posterior'])
    documents.slice(0, 40).forEach(({posterior, tags}, at) => {
      expect([posterior[concept], tags.includes(concept)]).toEqual(at % 2 === 0 ? [1, true] : [0, false])
    })
    const [first] = (await adfaJson`run ${args}`).concepts
    expect(first.tagged).toBe(documents.filter(({tags}) => tags.includes(concept)).length)
    expect(first.taggedWithoutAnchor).toBeGreaterThan(0)
    expect(first.taggedWithoutAnchor).toBeLessThan(first.tagged)
    const evaluated = await adfa`evaluate ${project}`
    expect(evaluated.stderr).toMatch(/no document has tags; evaluated by the labels of/)
    expect(evaluated.stdout).toMatch(/40 labelled documents/)
    expect((await adfa`evaluate ${project} --reliability`).stderr).toMatch(/--reliability needs tagged documents/)
  })

  test('JSON Lines keep all fields and the digits of their ids; tags of the documents lead to the next steps', async () => {
    const ids = visits.map((_, at) => String(12345678901234567000n + BigInt(at)))
    const lines = visits.map(({note, sex, truth}, at) => {
      const rest = JSON.stringify({note, sex, tags: truth})
      return `{"id":${ids[at]},${rest.slice(1)}\n`
    })
    const docs = folder.write('notes.jsonl', lines.join(''))
    const reading = '--negation --text note --category sex --no-project --anchors'.split(' ')
    const args = [...reading, anchors, ...filesNamed('lines')]
    const screen = await adfaDone`run ${docs} ${args}`
    expect(screen).toMatch(/^next\n +adfa run --label-share 1 .*\n +adfa evaluate +compare with the tags/m)
    // Standard input can be read only once.
    const piped = startProgram(['run', '-', ...reading, anchors, ...filesNamed('piped')])
    piped.stdin.end(lines.join(''))
    expect(await endOf(piped)).toMatchObject({code: 0})
    expect(folder.text('piped-tagged.jsonl')).toBe(folder.text('lines-tagged.jsonl'))
    const [first] = folder.rows('lines-tagged.jsonl')
    expect(Object.keys(first)).toEqual(['id', 'note', 'sex', 'tags', 'tags (adfa)', 'likely', 'posterior'])
    expect([first.id, first.tags]).toEqual([ids[0], visits[0].truth])
    // Of documents that all have tags, prevalences are known: no interval.
    const measured = await adfa`run ${docs} ${args} --label-share 1`
    expect(measured.stdout).toMatch(/^ {2}\S.* {2}\d[\d.]*% +\d+ +\d+ /m)
    expect(measured.stdout).not.toMatch(/\d% \(/)
    const [concept] = Object.keys(folder.json('anchors.json'))
    const shouted = `${concept.toUpperCase()}-`
    const other = folder.write('other.jsonl', lines.join('').replaceAll(`"${concept}"`, `"${shouted}"`))
    const {stderr} = await adfa`evaluate ${folder.at('lines-model.jsonl')} ${other} --no-project`
    expect(stderr).toContain(`the tag "${shouted}" is not a concept; if it means "${concept}"`)
    expect(stderr).toContain(`no document has the tag of '${concept}'`)
  })
})
