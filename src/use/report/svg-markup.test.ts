import {parseHTML} from 'linkedom'
import {expect, test} from 'vitest'
import {escapeXml, rounded, svgMarkup} from './svg-markup.ts'
import {readSvg} from './test-svg.ts'

function inside(markup: string): string {
  return svgMarkup(parseHTML(`<html><body>${markup}</body></html>`).document.body)
}

test('svgMarkup(...) writes attributes by name, geometry with two decimals, and nothing for screen readers', () => {
  expect(inside('<g><line y2="2" x1="1.23456" class="z" aria-label="rule" stroke="currentColor"></line></g>')).toBe(
    '<g><line stroke="#1f2328" x1="1.23" y2="2"/></g>'
  )
  expect(
    inside('<path transform="translate(-0.001,160.00000000000003)" d="M1e-7,0L1.5e-7,2.126" title="1.23456"></path>')
  ).toBe('<path d="M0,0L0,2.13" title="1.23456" transform="translate(0,160)"/>')
})

test('svgMarkup(...) leaves numbers in texts alone, and drops styles, comments and what is empty', () => {
  expect(inside('<text x="1.0001">1.23456</text><text></text><g><title></title></g><style>x</style><!-- y -->')).toBe(
    '<text x="1">1.23456</text>'
  )
})

test('rounded(...) has no sign on nothing', () => {
  expect([rounded(-0.001), rounded(1.005), rounded(12), rounded(-2.71999)]).toEqual(['0', '1', '12', '-2.72'])
})

test('escapeXml(...) makes any text safe between tags and in attributes', () => {
  const hostile = '</title><script>alert("x")</script> & \u0000\u001b\ud800\uffff 😀'
  const [, title] = readSvg(`<svg label="${escapeXml(hostile)}"><title>${escapeXml(hostile)}</title></svg>`)
  expect(title.text).toBe('</title><script>alert("x")</script> &      😀')
  expect(title.parent?.attributes.label).toBe(title.text)
})
