import {describe, expect, test} from 'vitest'
import {pageScript} from './page-script.ts'

describe('pageScript', () => {
  test('pageScript is JavaScript that can stand inside a page', () => {
    expect(() => new Function(pageScript)).not.toThrow()
    expect(pageScript).not.toMatch(/<\/script|<!--/i)
  })

  test('pageScript fetches and keeps nothing', () => {
    expect(pageScript).not.toMatch(/fetch|XMLHttpRequest|localStorage|sessionStorage|cookie|innerHTML|eval|import\(/)
  })
})
