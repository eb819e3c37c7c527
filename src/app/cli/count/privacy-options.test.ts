import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {releaseFromBytes} from '../../../read/pooling/index.ts'
import {adfa, testFolder} from '../test-run.ts'
import {noiseRandomness} from './privacy-options.ts'

const folder = testFolder()
const docs = folder.at('docs.jsonl')
const anchors = folder.at('anchors.json')
const like = folder.at('like.counts')

beforeAll(async () => {
  folder.write('anchors.json', JSON.stringify({python: 'title:python', git: ['git', 'text:branch'], 'c#': 'title:c#'}))
  folder.write('docs.jsonl', drawQuestions(300, rng(7)))
  expect((await adfa('count', docs, '--anchors', anchors, '-o', like)).code).toBe(0)
})

async function release(to: string, ...args: string[]) {
  const {code, stderr, stdout} = await adfa('count', docs, '--like', like, '--site', 'N', ...args, '-o', folder.at(to))
  expect({code, stderr: code === 0 ? '' : stderr}).toEqual({code: 0, stderr: ''})
  return {...releaseFromBytes(folder.bytes(to), to), stdout}
}

const gaussian = ['--privacy', 'gaussian', '--epsilon', '2']

describe('adfa count --privacy', () => {
  test('adfa count --privacy writes tables with noise that nobody can draw again, and states the budget', async () => {
    const exact = await release('exact.tables', '--min-cell', '0')
    const noisy = await release('a.tables', ...gaussian)
    const again = await release('b.tables', ...gaussian)
    expect(noisy.wordLow).not.toEqual(exact.wordLow)
    expect(noisy.wordLow).not.toEqual(again.wordLow)
    expect(noisy.wordLow).toEqual(noisy.wordHigh)
    expect(noisy.sites[0]).toMatchObject({minCell: 0, documents: noisy.low[0]})
    expect(noisy.sites[0].noise).toMatchObject({
      ...{mechanism: 'gaussian', epsilon: 2, delta: 1e-6, mostAnchors: 4, mostWords: 20},
      isRehearsal: false
    })
    expect(noisy.stdout).toContain('Privacy budget: epsilon 2, delta 0.000001')
    expect(noisy.stdout).not.toContain('REHEARSAL')
  })

  test('adfa count --noise-seed rehearses: the same noise again, whatever --seed, and the file says that it protects nobody', async () => {
    const first = await release('a.tables', ...gaussian, '--noise-seed', '5')
    const again = await release('b.tables', ...gaussian, '--noise-seed', '5')
    expect(folder.bytes('b.tables')).toEqual(folder.bytes('a.tables'))
    expect((await release('b.tables', ...gaussian, '--noise-seed', '6')).low).not.toEqual(first.low)
    expect(again.sites[0].noise?.isRehearsal).toBe(true)
    expect(again.stdout).toContain('REHEARSAL, NO PRIVACY')
  })

  test('adfa count --most-words limits what each document counts with before noise is drawn', async () => {
    const budget = ['--privacy', 'laplace', '--epsilon', '100', '--noise-seed', '1']
    const all = await release('a.tables', ...budget)
    const one = await release('b.tables', ...budget, '--most-words', '1', '--most-anchors', '1')
    const total = (numbers: Float64Array) => numbers.slice(0, one.lexicon.words.length).reduce((sum, x) => sum + x)
    // Of 300 documents each has one word at most; the noise of 20 or so words has a scale of 1.
    expect(total(one.wordLow)).toBeLessThan(350)
    expect(total(all.wordLow)).toBeGreaterThan(600)
  })

  test.each([
    [['--anchors', anchors, ...gaussian], /words learned from them would reveal them; agree on the words first/],
    [['--like', like, '--privacy', 'gaussian'], /--privacy needs its budget: --epsilon/],
    [['--like', like, '--delta', '1e-6'], /--delta sets the amount of noise/],
    [['--like', like, '--most-words', '3'], /--most-words sets the amount of noise/],
    [['--like', like, '--noise-seed', '3'], /--noise-seed rehearses noise, and there is none/],
    [['--like', like, '--privacy', 'laplace', '--epsilon', '1', '--delta', '1e-6'], /delta.* must be 0 with laplace/],
    [['--like', like, '--privacy', 'uniform', '--epsilon', '1'], /Allowed choices are laplace, gaussian/],
    [['--like', like, '--privacy', 'laplace', '--epsilon', '-1'], /It must be a number above 0/]
  ])('adfa count %j is refused', async (args, message) => {
    const {code, stderr} = await adfa('count', docs, ...args, '-o', folder.at('bad.tables'))
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
    expect(folder.names()).not.toContain('bad.tables')
  })

  test('noiseRandomness(undefined) gives all 32 bits, never the same twice', () => {
    const {words, isRehearsal} = noiseRandomness(undefined)
    const drawn = Array.from({length: 3000}, words)
    expect(isRehearsal).toBe(false)
    expect(new Set(drawn).size).toBeGreaterThan(2990)
    for (let bit = 0; bit < 32; bit++) {
      const share = drawn.filter(word => (word >>> bit) & 1).length / drawn.length
      // Six standard errors of a fair coin.
      expect(Math.abs(share - 0.5)).toBeLessThan(6 * Math.sqrt(0.25 / drawn.length))
    }
  })
})
