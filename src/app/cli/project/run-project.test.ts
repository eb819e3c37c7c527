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
      concepts: triageConcepts.map(name => ({name, prevalence: {low: expect.any(Number)}, tagged: expect.any(Number)})),
      threshold: expect.any(Number),
      files: {model: folder.at('model.json'), report: folder.at('report.html'), tagged: folder.at('tagged.csv')}
    })
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
    expect(screen).toMatch(/^ {2}chest pain +[\d.]+% \([\d.]+% to [\d.]+%\) +\d+ {2}\S/m)
    expect(screen).toMatch(/^next\n {2}adfa label +label 100 documents, then adfa run/m)
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
})
