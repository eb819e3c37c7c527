import fc from 'fast-check'
import {expect, test} from 'vitest'
import {fitText, textWidth, wrapText} from './text-size.ts'

test('textWidth(...) grows with size, and knows narrow from wide letters', () => {
  expect(textWidth('abc', 24)).toBeCloseTo(2 * textWidth('abc', 12))
  expect(textWidth('illi', 12)).toBeLessThan(textWidth('mwmw', 12) / 2)
  expect(textWidth('肺炎', 12)).toBeGreaterThan(24)
})

test('fitText(...) leaves what fits, and cuts the rest with an ellipsis inside the width', () => {
  expect(fitText('short', 100, 12)).toBe('short')
  expect(fitText('community acquired pneumonia', 100, 12)).toMatch(/^community.*…$/)
  fc.assert(
    fc.property(fc.string({unit: 'grapheme', maxLength: 80}), fc.integer({min: 20, max: 300}), (text, width) => {
      const fitted = fitText(text, width, 12)
      expect(textWidth(fitted, 12)).toBeLessThanOrEqual(width)
      if (fitted !== text) expect(text.startsWith(fitted.slice(0, -1))).toBe(true)
    })
  )
})

test('wrapText(...) breaks between words and loses none that fit', () => {
  const words = 'How often each anchor fires where its concept is present'
  const lines = wrapText(words, 120, 12)
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.join(' ')).toBe(words)
  for (const line of lines) expect(textWidth(line, 12)).toBeLessThanOrEqual(120)
  expect(wrapText('x'.repeat(200), 50, 12)).toEqual([expect.stringMatching(/^x+…$/)])
  expect(wrapText('', 50, 12)).toEqual([''])
})
