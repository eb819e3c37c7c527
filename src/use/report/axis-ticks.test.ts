import fc from 'fast-check'
import {expect, test} from 'vitest'
import {axisTicks, niceTicks, numberText, percentText, shareText} from './axis-ticks.ts'
import {textSize} from './palette.ts'
import {textWidth} from './text-size.ts'

test('niceTicks(...) covers the range by round numbers in equal steps', () => {
  expect(niceTicks(0.03, 0.97, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
  expect(niceTicks(-3.81, -3.01, 5)).toEqual([-4, -3.8, -3.6, -3.4, -3.2, -3])
  fc.assert(
    fc.property(
      fc.double({min: -1e6, max: 1e6, noNaN: true}),
      fc.double({min: 1e-3, max: 1e6, noNaN: true}),
      fc.integer({min: 1, max: 8}),
      (low, width, count) => {
        const ticks = niceTicks(low, low + width, count)
        expect(ticks[0]).toBeLessThanOrEqual(low + 1e-6 * width)
        expect(ticks[ticks.length - 1]).toBeGreaterThanOrEqual(low + width - 1e-6 * width)
        expect(ticks.length).toBeLessThanOrEqual(count + 3)
        for (let at = 1; at < ticks.length; at++) expect(ticks[at]).toBeGreaterThan(ticks[at - 1])
      }
    )
  )
})

test('axisTicks(...) keeps shares between nothing and all, and gives one value alone some air', () => {
  const share = {label: '', percent: true}
  expect(axisTicks(share, [0.01, 0.99], {pixels: 300}).domain).toEqual([0, 1])
  const {domain} = axisTicks({label: ''}, [7], {pixels: 300})
  expect(domain[0]).toBeLessThan(7)
  expect(domain[1]).toBeGreaterThan(7)
  expect(axisTicks({label: '', log: true}, [8], {pixels: 300}).domain).toEqual([4, 16])
  expect(axisTicks({label: ''}, [], {pixels: 300}).domain).toEqual([0, 1])
})

test('axisTicks(...) is tight when asked: numbers stay inside what the values span', () => {
  const {domain, ticks} = axisTicks({label: ''}, [10, 50], {pixels: 300, isTight: true})
  expect(domain).toEqual([8.4, 51.6])
  expect(ticks).toEqual([10, 20, 30, 40, 50])
})

test('axisTicks(...) of a logarithmic axis has powers of ten, or 1, 2 and 5 when there are few', () => {
  const log = {label: '', log: true}
  expect(axisTicks(log, [3, 40_000], {pixels: 400}).ticks).toEqual([10, 100, 1000, 10_000])
  expect(axisTicks(log, [3, 60], {pixels: 400}).ticks).toEqual([5, 10, 20, 50])
})

test('axisTicks(...) leaves out numbers that would touch, but never the first and the last', () => {
  const given = [50, 100, 200, 500, 1000, 2000, 5000, 10_000]
  const {ticks, text} = axisTicks({label: '', log: true, ticks: given}, given, {pixels: 200})
  expect(ticks[0]).toBe(50)
  expect(ticks[ticks.length - 1]).toBe(10_000)
  expect(ticks.length).toBeLessThan(given.length)
  const place = (x: number) => (200 * Math.log(x / 50)) / Math.log(200)
  for (let at = 1; at < ticks.length; at++) {
    const halves = [ticks[at - 1], ticks[at]].map(tick => textWidth(text(tick), textSize.small) / 2)
    expect(place(ticks[at]) - place(ticks[at - 1])).toBeGreaterThanOrEqual(halves[0] + halves[1])
  }
  expect(axisTicks({label: '', log: true, ticks: given}, given, {pixels: 1000}).ticks).toEqual(given)
})

test('numberText(...) puts commas between thousands and writes a true minus', () => {
  expect([0, 1234567, -1234.6, 0.1 + 0.2, -2.71999, 999.96].map(numberText)).toEqual([
    '0',
    '1,234,567',
    '−1,235',
    '0.3',
    '−2.72',
    '1,000'
  ])
})

test('percentText(...) has as few digits as needed, shareText(...) one decimal for columns', () => {
  expect([0, 0.125, 0.1 + 0.2, 1].map(percentText)).toEqual(['0%', '12.5%', '30%', '100%'])
  expect([0, 0.125, 0.3, 0.0004].map(shareText)).toEqual(['0.0%', '12.5%', '30.0%', '0.04%'])
})
