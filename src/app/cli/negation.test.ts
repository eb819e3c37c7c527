import {beforeAll, describe, expect, test} from 'vitest'
import {loadModel} from '../../learn/model/index.ts'
import {countsFromBytes} from '../../read/counts/index.ts'
import type {Diagnosis} from '../../use/advice/index.ts'
import {adfa, adfaDone, adfaJson, testFolder} from './test-run.ts'

const folder = testFolder()
const reports = Array.from({length: 60}, (_, at) => ({
  id: at,
  text: ['Fever and cough.', 'No fever. Cough.', 'Denies cough.', 'Fever was ruled out.', 'Fever, sweats.', 'Rash.'][
    at % 6
  ],
  tags: at % 6 === 0 || at % 6 === 4 ? ['fever'] : []
}))
const reading = () => ['--anchors', folder.at('anchors.json'), '--max-share', '1']
const readCounts = (name: string) => countsFromBytes(folder.bytes(name), name)

beforeAll(async () => {
  folder.write('docs.jsonl', reports)
  folder.write('anchors.json', '{"fever": "fever", "cough": "text:cough"}')
  await adfaDone('count', folder.at('docs.jsonl'), ...reading(), '--negation', '-o', folder.at('negation.counts'))
  await adfaDone('count', folder.at('docs.jsonl'), ...reading(), '-o', folder.at('plain.counts'))
})

describe('adfa --negation', () => {
  test('adfa count --negation counts negated words apart, and no anchor fires on them', () => {
    const [negated, plain] = [readCounts('negation.counts'), readCounts('plain.counts')]
    expect(negated.lexicon.words).toEqual(expect.arrayContaining(['text:neg:fever', 'text:neg:cough']))
    expect(plain.lexicon.words.some(word => word.includes('neg:'))).toBe(false)
    expect([negated.lexicon.reading.negation, plain.lexicon.reading.negation]).toEqual([true, false])
    // Fever alone, cough alone, both, neither: a sixth of the documents is "Fever, sweats."
    expect([negated.patternCount, plain.patternCount]).toEqual([4, 4])
    expect([...negated.patternDocuments].sort((a, b) => a - b)).toEqual([10, 10, 10, 30])
    expect([...plain.patternDocuments].sort((a, b) => a - b)).toEqual([10, 10, 20, 20])
  })

  test('adfa count --like reads negation as the counts or the model do, and refuses to be told', async () => {
    const like = ['count', folder.at('docs.jsonl'), '--like', folder.at('negation.counts')]
    await adfaDone(...like, '-o', folder.at('again.counts'))
    expect(folder.bytes('again.counts')).toEqual(folder.bytes('negation.counts'))
    const {code, stderr} = await adfa(...like, '--negation', '-o', folder.at('told.counts'))
    expect([code, stderr]).toEqual([2, expect.stringContaining('--negation cannot change anything here')])
  })

  test('adfa merge refuses to add counts with negation to counts without', async () => {
    const files = [folder.at('negation.counts'), folder.at('plain.counts')]
    const {code, stderr} = await adfa('merge', ...files, '-o', folder.at('sum.counts'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('differ in their reading of negation')])
  })

  test('adfa fit keeps negation in the model, and adfa predict reads documents by it', async () => {
    const given =
      '{"fever": {"any": ["fever"], "truePositive": 0.9, "falsePositive": 0.01}, "cough": {"any": ["text:cough"], "truePositive": 0.9, "falsePositive": 0.01}}'
    const rates = folder.write('rates.json', given)
    const fitting = ['--anchors', rates, '--noise', 'given', '--words', 'noisy-or', '--quiet']
    await adfaDone('fit', folder.at('negation.counts'), ...fitting, '-o', folder.at('model.json'))
    expect(loadModel(folder.text('model.json'), 'm').lexicon.reading.negation).toBe(true)
    const asked = folder.write('asked.jsonl', [
      {id: 1, text: 'fever'},
      {id: 2, text: 'no fever'}
    ])
    await adfaDone('predict', folder.at('model.json'), asked, '-o', folder.at('out.jsonl'), '--quiet')
    const [has, hasNot] = folder
      .text('out.jsonl')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(has.posterior.fever).toBeGreaterThan(0.9)
    expect(hasNot.posterior.fever).toBeLessThan(0.1)
  })

  test('adfa doctor counts negated hits with examples and recommends --negation, of documents and not of counts', async () => {
    const negated = async (...args: readonly string[]) =>
      ((await adfaJson('doctor', ...args)) as Diagnosis).findings.filter(({kind}) => kind === 'negated')
    expect(await negated(folder.at('docs.jsonl'), ...reading())).toMatchObject([
      {concept: 'fever', evidence: {documents: 40, negated: 20, examples: ['No fever', 'Fever was ruled out']}},
      {concept: 'cough', tool: 'negation'}
    ])
    for (const args of [[folder.at('plain.counts')], [folder.at('docs.jsonl'), ...reading(), '--negation']])
      expect(await negated(...args)).toEqual([])
  })

  test('adfa count --negation-scope ends a negation after so many words, and counts of another scope do not merge', async () => {
    const docs = folder.write('scope.jsonl', [
      {id: 1, text: 'no sweats at night nor fever'},
      {id: 2, text: 'denies rash at night fever cough'},
      {id: 3, text: 'cough'}
    ])
    const args = ['count', docs, ...reading(), '--negation', '--skip-bad-anchors', '--quiet']
    await adfaDone(...args, '-o', folder.at('ten.counts'))
    await adfaDone(...args, '--negation-scope', '3', '-o', folder.at('three.counts'))
    expect(readCounts('three.counts').lexicon).toMatchObject({
      reading: {negationScope: 3},
      anchors: [{concept: 'fever'}, {concept: 'cough'}]
    })
    expect(readCounts('ten.counts').lexicon.anchors.map(({concept}) => concept)).toEqual(['cough'])
    const {stderr} = await adfa(
      'merge',
      folder.at('ten.counts'),
      folder.at('three.counts'),
      '-o',
      folder.at('both.counts')
    )
    expect(stderr).toMatch(/differ in their (scope of negation|anchors|concepts)/)
  })

  test('adfa fit says where a word occurs that an anchor names in vain', async () => {
    const docs = folder.write(
      'meds.jsonl',
      Array.from({length: 40}, (_, id) => ({id, text: 'seen', meds: id % 2 === 0 ? ['Metformin'] : []}))
    )
    const vain = folder.write('vain.json', '{"diabetes": "metformin", "typo": "meds:metfornin", "seen": "nowhere"}')
    const {code, stderr} = await adfa(
      'fit',
      docs,
      '--anchors',
      vain,
      '--list',
      'meds',
      '-o',
      folder.at('vain.model.json')
    )
    expect(code).toBe(1)
    for (const hint of [
      `"diabetes": .*'meds:metformin', which occurs in 20`,
      `"typo": .*'meds:metformin'`,
      '"seen": .*spelling'
    ])
      expect(stderr).toMatch(new RegExp(hint))
  })
})
