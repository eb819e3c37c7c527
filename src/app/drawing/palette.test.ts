import {expect, test} from 'vitest'
import {palette, seriesStyles} from './palette.ts'

test('palette has texts of 4.5 to 1 against paper, and marks of 3 to 1, as the accessibility guidelines ask', () => {
  for (const name of ['ink', 'quietInk'] as const) expect(contrast(palette[name], palette.paper)).toBeGreaterThan(4.5)
  for (const {colour} of seriesStyles) expect(contrast(colour, palette.paper)).toBeGreaterThan(3)
  expect(contrast(palette.rule, palette.paper)).toBeGreaterThan(3)
})

test('seriesStyles are told apart without colour: each has its own symbol and its own dash', () => {
  expect(new Set(seriesStyles.map(({symbol, isHollow}) => `${symbol} ${isHollow}`)).size).toBe(seriesStyles.length)
  expect(new Set(seriesStyles.map(({dash}) => dash)).size).toBe(seriesStyles.length)
})

/** By the formula of WCAG 2: from 1 to 21. */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const level = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
