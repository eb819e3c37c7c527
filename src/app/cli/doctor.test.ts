import {existsSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {beforeAll, describe, expect, test} from 'vitest'
import type {Diagnosis, Finding} from '../../use/advice/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from './test-run.ts'

const folder = testFolder()
const npm = fileURLToPath(new URL('../../../corpora/npm-packages.jsonl.gz', import.meta.url))
const library = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
let small: Awaited<ReturnType<typeof generateSmall>>

beforeAll(async () => {
  small = await generateSmall(folder, 2000)
}, 60_000)

async function diagnosis(...args: readonly string[]): Promise<Diagnosis> {
  return (await adfaJson('doctor', ...args)) as Diagnosis
}

/** "concept kind" of each finding. */
function kinds(findings: readonly Finding[]): string[] {
  return findings.map(({concept, kind}) => `${concept} ${kind}`)
}

describe('adfa doctor', () => {
  test('adfa doctor says so when nothing is wrong, and shows every anchor with its rates', async () => {
    const text = await adfaDone('doctor', small.docs, '--anchors', small.anchors)
    const lines = text.trimEnd().split('\n')
    expect(lines[0]).toBe('5 concepts in 2,000 documents: no findings')
    expect(lines[2]).toMatch(
      /^concept +documents +share +members +most often with +prevalence +precision +fires if present +findings$/
    )
    expect(lines[9]).toMatch(/^No labels were read/)
    expect(lines.slice(9).join(' ')).toMatch(/adfa label/)
    const labelled = await adfaDone('doctor', small.docs, '--anchors', small.anchors, '--label-share', '1')
    expect(labelled).not.toMatch(/No labels/)
  })

  test('adfa doctor names shared, dead and misplaced anchors of the npm corpus, worst first, and ends with code 0', async () => {
    const anchors = folder.write(
      'npm.json',
      JSON.stringify({
        react: 'text:react',
        vue: 'text:vue',
        view: ['text:vue', 'text:svelte'],
        ghost: 'nowhere',
        eslint: ['text:eslint', 'text:webpack'],
        bundler: ['title:webpack', 'text:rollup', 'text:loader']
      })
    )
    const counts = folder.at('npm.counts')
    await adfaDone('count', npm, '--anchors', anchors, '--skip-bad-anchors', '-o', counts, '--quiet')
    const {code, stdout} = await adfa('doctor', counts)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^6 concepts in 11,171 documents: 3 with faults, 2 with warnings, 1 with notes only\n\nvue\n/
    )
    expect(stdout).toContain(
      `\n  fault: 'text:vue' is a member of the anchor of "view" too; the concept is left out\n    -> a member belongs`
    )
    expect(stdout.indexOf('\nghost\n')).toBeLessThan(stdout.indexOf('\neslint\n'))
    const {findings, anchors: facts} = await diagnosis(counts)
    expect(kinds(findings)).toEqual(
      expect.arrayContaining([
        'vue shared',
        'view shared',
        'ghost dead',
        'eslint foreign-member',
        'eslint fires-for-another'
      ])
    )
    expect(facts.map(({concept}) => concept)).toEqual(['react', 'view', 'eslint', 'bundler'])
    for (const line of stdout.split('\n\n').slice(0, -2).join('\n').split('\n'))
      expect(line.length).toBeLessThanOrEqual(100)
  }, 60_000)

  test('adfa doctor finds the same in counts as in the documents they were made of', async () => {
    const counts = folder.at('small.counts')
    await adfaDone('count', small.docs, '--anchors', small.anchors, '-o', counts)
    const ofDocuments = await diagnosis(small.docs, '--anchors', small.anchors)
    expect(ofDocuments.readsDocuments).toBe(true)
    expect(await diagnosis(counts)).toEqual({...ofDocuments, readsDocuments: false})
  })

  test('adfa doctor finds swapped anchors by labels', async () => {
    const anchors = JSON.parse(folder.text('anchors.json'))
    const names = Object.keys(anchors)
    const plain = Object.fromEntries(
      names.map((name, at) => [name, anchors[names[at === 0 ? 3 : at === 3 ? 0 : at]].any])
    )
    const swapped = folder.write('swapped.json', JSON.stringify(plain))
    const {findings} = await diagnosis(small.docs, '--anchors', swapped, '--label-share', '1')
    expect(kinds(findings.filter(({severity}) => severity === 'fault'))).toEqual([
      `${names[0]} wrong-labels`,
      `${names[3]} wrong-labels`
    ])
    expect(kinds((await diagnosis(small.docs, '--anchors', swapped, '--noise', 'labels')).findings)).toEqual(
      kinds(findings)
    )
    expect((await diagnosis(small.docs, '--anchors', swapped)).findings).toEqual([])
  })

  test('adfa doctor checks the rates of the anchors file, and those of --noise instead', async () => {
    const anchors = JSON.parse(folder.text('anchors.json'))
    const [first, second, third] = Object.keys(anchors)
    anchors[first] = {...anchors[first], truePositive: 0.95, falsePositive: 0.6}
    anchors[second] = {any: anchors[second].any, prevalence: 0.001, precision: 0.9}
    anchors[third] = {any: anchors[third].any}
    const wrong = folder.write('wrong-rates.json', JSON.stringify(anchors))
    const {findings, anchors: facts} = await diagnosis(small.docs, '--anchors', wrong)
    expect(kinds(findings)).toEqual([`${second} refused-rates`, `${first} impossible-rates`])
    expect(facts.map(({rates}) => rates !== undefined)).toEqual([true, false, false, true, true])
    const byLabels = await diagnosis(small.docs, '--anchors', wrong, '--noise', 'labels')
    expect(byLabels.findings).toEqual([])
    expect(byLabels.anchors.every(({rates}) => rates !== undefined)).toBe(true)
  })

  test('adfa doctor --noise pair says of which anchors there are no rates', async () => {
    const {findings, anchors} = await diagnosis(small.docs, '--anchors', small.anchors, '--noise', 'pair')
    expect(anchors.every(({rates}) => rates === undefined)).toBe(true)
    expect(findings.map(({kind, severity}) => `${severity} ${kind}`)).toEqual(anchors.map(() => 'fault refused-rates'))
  })

  test('adfa doctor finds weak members and weak fields by labels, in documents', async () => {
    const names = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox']
    const row = (name: string, field: string, tags: readonly string[]) =>
      JSON.stringify({title: 'it', text: 'so', [field]: `a ${name}`, tags})
    const rows = names.flatMap(name => [
      ...Array.from({length: 20}, () => row(name, 'title', [name])),
      ...Array.from({length: 30}, (_, at) => row(name, 'text', at < 3 ? [name] : []))
    ])
    const docs = folder.write('fields.jsonl', rows.join('\n'))
    const anchors = folder.write(
      'fields.json',
      JSON.stringify(Object.fromEntries(names.map(name => [name, [`title:${name}`, `text:${name}`]])))
    )
    const args = ['--anchors', anchors, '--label-share', '1']
    const printed = await adfaDone('doctor', docs, ...args)
    expect(printed).toMatch(/warning: where 'text:ant' alone fires, the concept is present in 10% of 30 labelled/)
    expect(printed).toMatch(/\nonly members in +concepts +labelled documents +precision\ntitle +6 +120 +100%/)
    expect(printed).toMatch(/\ntext +6 +180 +10% .*\nWhere only members in 'text' fire, most documents do not have/)
    const {anchors: facts, fields} = await diagnosis(docs, ...args)
    expect(facts[0].members[1]).toMatchObject({name: 'text:ant', documents: 30, labels: {alone: {documents: 30}}})
    expect(fields.map(({field, isWeak}) => [field, isWeak])).toEqual([
      ['title', false],
      ['text', true]
    ])
    const counts = folder.at('fields.counts')
    await adfaDone('count', docs, ...args, '-o', counts)
    const {stderr, stdout} = await adfa('doctor', counts)
    expect(stderr).toMatch(/which members of an anchor are weak shows only in labelled documents/)
    expect(stdout).not.toMatch(/alone fires|only members in/)
  })

  test('adfa doctor refuses a method that it does not know', async () => {
    const {code, stderr} = await adfa('doctor', small.docs, '--anchors', small.anchors, '--noise', 'magic')
    expect(code).toBe(2)
    expect(stderr).toMatch(/magic/)
  })
})

describe.runIf(existsSync(library))('adfa doctor, corpora beside the checkout', () => {
  test('adfa doctor names the shared anchors of chest-xray', async () => {
    const {findings} = await diagnosis(
      `${library}chest-xray.jsonl.gz`,
      '--anchors',
      `${library}chest-xray.anchors.json`
    )
    const shared = findings
      .filter(({kind}) => kind === 'shared')
      .map(({concept, evidence}) => [concept, evidence.others])
    expect(shared).toEqual([
      ['Calcified Granuloma', ['Granuloma']],
      ['Emphysema', ['Pulmonary Emphysema']],
      ['Pulmonary Emphysema', ['Emphysema']],
      ['Granuloma', ['Calcified Granuloma']],
      ['Implanted Medical Device', ['Medical Device']],
      ['Aorta', ['Aorta, Thoracic']],
      ['Aorta, Thoracic', ['Aorta']],
      ['Medical Device', ['Implanted Medical Device']]
    ])
  }, 60_000)

  test('adfa doctor names the shared anchors of debian-packages', async () => {
    const {findings} = await diagnosis(
      `${library}debian-packages.jsonl.gz`,
      '--anchors-from-tags',
      'title',
      '--text',
      'title'
    )
    expect(findings.filter(({kind}) => kind === 'shared').map(({evidence}) => evidence.features)).toEqual(
      ['perl', 'c', 'perl', 'application', 'c++', 'c', 'application', 'c++'].map(name => [`title:${name}`])
    )
  }, 60_000)
})
