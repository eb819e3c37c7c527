import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {binName} from './number-bins.ts'

const byWidth = (value: number, width: number) => binName(value, {field: 'x', width})
const byEdges = (value: number, ...edges: number[]) => binName(value, {field: 'x', edges})

describe('binName, bins of one width', () => {
  test.each([
    [47, 10, '40-50'],
    [40, 10, '40-50'],
    [50, 10, '50-60'],
    [49.999, 10, '40-50'],
    [0, 10, '0-10'],
    [-0, 10, '0-10'],
    [-0.1, 10, '-10..0'],
    [-10, 10, '-10..0'],
    [-15, 10, '-20..-10'],
    [36.6, 0.5, '36.5-37'],
    [37, 0.5, '37-37.5'],
    [0.3, 0.1, '0.3-0.4'],
    [0.29, 0.1, '0.2-0.3'],
    [1.1, 0.1, '1.1-1.2'],
    [7, 2.5, '5-7.5'],
    [1e21, 10, '1000000000000000000000-1000000000000000000010'],
    [3e-7, 1e-7, '0.0000003-0.0000004'],
    [5, 1e21, '0-1000000000000000000000']
  ])('binName(%s) by width %s is %s', (value, width, name) => {
    expect(byWidth(value, width)).toBe(name)
  })

  test('binName(...) has the lower bound and not the upper one, and bounds a width apart, for any decimal number', () => {
    // Hundredths as whole numbers are the slow, obvious twin.
    fc.assert(
      fc.property(fc.integer({min: -100_000, max: 100_000}), fc.integer({min: 1, max: 5000}), (value, width) => {
        const [, lower, upper] = /^(-?[\d.]+?)(?:-|\.\.)(-?[\d.]+)$/.exec(byWidth(value / 100, width / 100)) ?? []
        const bounds = [lower, upper].map(bound => Math.round(Number(bound) * 100))
        const below = Math.floor(value / width) * width
        expect(bounds).toEqual([below, below + width])
      })
    )
  })

  test('binName(...) prints bounds that read back as the numbers they are, without tails of digits', () => {
    fc.assert(
      fc.property(fc.integer({min: 0, max: 1000}), fc.constantFrom(0.1, 0.2, 0.25, 0.5), (steps, width) => {
        for (const bound of byWidth(steps * width, width).split('-')) expect(bound).toMatch(/^\d+(\.\d{1,2})?$/)
      })
    )
  })
})

describe('binName, bins with edges', () => {
  test.each([
    [17.9, '<18'],
    [18, '18-40'],
    [39.9, '18-40'],
    [40, '40-65'],
    [65, '65+'],
    [1e9, '65+'],
    [-5, '<18']
  ])('binName(%s) between 18, 40 and 65 is %s', (value, name) => {
    expect(byEdges(value, 18, 40, 65)).toBe(name)
  })

  test('binName(...) takes one edge, edges below 0 and edges with an exponent', () => {
    expect([byEdges(64, 65), byEdges(65, 65)]).toEqual(['<65', '65+'])
    expect([byEdges(-30, -20, -10, 0), byEdges(-15, -20, -10, 0), byEdges(0, -20, -10, 0)]).toEqual([
      '<-20',
      '-20..-10',
      '0+'
    ])
    expect([byEdges(0, 1e-7, 1e21), byEdges(1, 1e-7, 1e21), byEdges(1e22, 1e-7, 1e21)]).toEqual([
      '<0.0000001',
      '0.0000001-1000000000000000000000',
      '1000000000000000000000+'
    ])
  })
})
