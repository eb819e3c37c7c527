import fc from 'fast-check'
import {expect, test} from 'vitest'
import {textDefaults} from '../data/index.ts'
import {anchorsOf, messageOf} from '../data/test-rows.ts'
import {decodeToken, mergeTokens, parseTokenLine, RoleTable, type TokenCount} from './clickhouse-tokens.ts'

/** A list as a server sends it: in order, in batches of the given size. */
async function* sent(counts: ReadonlyMap<string | undefined, number>, size: number): AsyncGenerator<TokenCount[]> {
  const rows = [...counts].map(([hex, documents]) => ({hex, documents}))
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size)
}

function keyOf({hex}: {readonly hex: string | undefined}): string {
  return hex === undefined ? '' : `t${hex}`
}

test('mergeTokens(...) adds up lists word by word, and gives the documents first', async () => {
  const hex = fc.constantFrom('', '00', '41', '4142', '42', 'FF', undefined)
  const list = fc.array(fc.tuple(hex, fc.integer({min: 1, max: 9}))).map(entries => new Map(entries))
  await fc.assert(
    fc.asyncProperty(
      fc.array(list, {minLength: 1, maxLength: 4}),
      fc.integer({min: 1, max: 4}),
      async (lists, size) => {
        const sums = new Map<string | undefined, number>()
        for (const one of lists) for (const [key, count] of one) sums.set(key, (sums.get(key) ?? 0) + count)
        const merged: TokenCount[] = []
        for await (const batch of mergeTokens(
          lists.map(one => sent(one, size)),
          () => {}
        ))
          merged.push(...batch)
        expect(merged.map(keyOf)).toEqual([...merged].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map(keyOf))
        expect(new Map(merged.map(({hex, documents}) => [hex, documents]))).toEqual(sums)
        expect(merged).toHaveLength(sums.size)
      }
    )
  )
})

test('mergeTokens(...) stops the others when one list fails, and tells its error', async () => {
  let stop = () => {}
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  const ended: string[] = []
  const waiting = (async function* (): AsyncGenerator<TokenCount[]> {
    try {
      await stopped
      yield [{hex: '41', documents: 1}]
    } finally {
      ended.push('waiting')
    }
  })()
  const failing = (async function* (): AsyncGenerator<TokenCount[]> {
    yield await Promise.reject(new Error('lost'))
  })()
  const all = async () => {
    for await (const batch of mergeTokens([waiting, failing], stop)) expect(batch).toEqual([])
  }
  await expect(all()).rejects.toThrow('lost')
  expect(ended).toEqual(['waiting'])
})

test('parseTokenLine(...) reads what was asked for and nothing else', () => {
  expect(parseTokenLine('\t12')).toEqual({hex: undefined, documents: 12})
  expect(parseTokenLine('74\t3')).toEqual({hex: '', documents: 3})
  expect(parseTokenLine('7441FF\t3')).toEqual({hex: '41FF', documents: 3})
  for (const line of ['', '74', '7441', '41\t3', '744\t3', '7441\t3x', '7441\t-3', 'Code: 241'])
    expect(messageOf(() => parseTokenLine(line))).toMatch(/not asked for/)
})

test('decodeToken(...) keeps every sign, a byte order mark too, and knows what is no text', () => {
  expect(decodeToken(Buffer.from('\ufeffa\0😀').toString('hex'))).toBe('\ufeffa\0😀')
  expect(decodeToken('FF')).toBeUndefined()
  expect(decodeToken('EDA080')).toBeUndefined()
})

test('RoleTable numbers features by what they do, and decides which anchors fire where several meet', () => {
  const anchors = anchorsOf({a: {any: ['x', 'y'], not: ['u']}, b: {any: ['z'], not: ['v']}})
  const roles = new RoleTable({anchors, phrases: [], text: textDefaults})
  const {names, ids} = roles.codes
  const of = (...list: string[]) => list.map(name => ids[names.indexOf(name)])
  expect(new Set(ids)).toEqual(new Set([1, 2, 3, 4, 5]))
  expect(of('x')).toEqual(of('text:x'))
  expect(names).not.toContain('word')
  expect(roles.membersOf([])).toEqual([])
  expect(roles.membersOf(of('x', 'y', 'z'))).toEqual([0, 1, 2])
  expect(roles.membersOf(of('y', 'z', 'v'))).toEqual([1])
  expect(roles.membersOf(of('y', 'z', 'u'))).toEqual([2])
})

test('see(...) passes over bytes that are no text, unless an expression would take them', () => {
  const look = (feature: string) => {
    const roles = new RoleTable({anchors: anchorsOf({a: feature}), phrases: [], text: textDefaults})
    return messageOf(() => expect(roles.see('FF41', 'table')).toBeUndefined())
  }
  expect(look('/b/')).toBeUndefined()
  expect(look('/a/')).toMatch(/table: the word "\uFFFDA" \(bytes FF41\) is not text in UTF-8/)
})
