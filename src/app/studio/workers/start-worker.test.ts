import {describe, expect, test} from 'vitest'
import {harmless} from './start-worker.ts'

describe('markup of the drawing thread', () => {
  test.each([
    '<script>alert(1)</script>',
    '<svg onload=alert(1)>',
    '<g id="a" onclick = "x()">',
    "<a href='javascript:x()'>",
    '<a xlink:href="  JavaScript:x()">',
    '<foreignObject><p>a</p></foreignObject>'
  ])('that could run is refused: %s', markup => {
    expect(() => harmless(markup)).toThrow('a picture holds a script')
  })

  test.each([
    '<svg><title>seen on ward = 3</title></svg>',
    '<text data-name="one onset=2">a &lt;script&gt; b</text>',
    "<p>the doctor's onset = 3, javascript: the word</p>"
  ])('with texts that look like it is shown: %s', markup => {
    expect(harmless(markup)).toBe(markup)
  })
})
