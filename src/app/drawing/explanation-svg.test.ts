import {describe, expect, test} from 'vitest'
import {explanationOf, word} from '../../use/prediction/test-explanation.ts'
import {explanationSvg} from './explanation-svg.ts'

describe('explanationSvg(...)', () => {
  test('explanationSvg(...) draws each step from where the last one ended', () => {
    const svg = explanationSvg('note 1', explanationOf(word('wheeze', 3), word('cough', -0.5)))
    const bars = [...svg.matchAll(/<rect x="([\d.]+)" y="\d+" width="([\d.]+)" height="16" fill="(#\w+)"/g)]
    const [prior, up, down, whole] = bars.map(([, x, width, fill]) => ({
      start: Number(x),
      end: Number(x) + Number(width),
      fill
    }))
    expect(bars).toHaveLength(4)
    expect(up.start).toBeCloseTo(prior.start, 0)
    expect(up.end).toBeCloseTo(down.end, 0)
    expect(whole.end).toBeCloseTo(down.start, 0)
    expect(whole.start).toBeCloseTo(prior.end, 0)
    // 2, 3 and 0.5 of the same unit.
    const unit = (prior.end - prior.start) / 2
    expect((up.end - up.start) / unit).toBeCloseTo(3, 1)
    expect((down.end - down.start) / unit).toBeCloseTo(0.5, 1)
    expect([prior.fill, up.fill, down.fill, whole.fill]).toEqual(['#555555', '#0072B2', '#D55E00', '#555555'])
  })

  test('explanationSvg(...) draws what is certain within the picture, and escapes what documents say', () => {
    const svg = explanationSvg('<b>\u0001&', explanationOf(word('"<x>', Number.POSITIVE_INFINITY)))
    expect(svg).toContain('Why asthma in &lt;b&gt;&amp;: 100%')
    expect(svg).toContain('&quot;&quot;&lt;x&gt;&quot; occurs')
    expect(svg).not.toMatch(/NaN|Infinity|<b>|<x>/)
    expect(svg).toContain('>certain<')
  })
})
