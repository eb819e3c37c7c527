import {expect, test} from 'vitest'
import {DrawingDocument, escapeXml, rounded} from './svg-markup.ts'
import {readSvg} from './test-svg.ts'

function written(name: string, attributes: Readonly<Record<string, string>>, inside = ''): string {
  const made = new DrawingDocument().createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.textContent = inside
  return made.outerHTML
}

test('DrawingDocument writes attributes, geometry with two decimals, and nothing for screen readers', () => {
  const line = {y2: '2', x1: '1.23456', class: 'z', 'aria-label': 'rule', stroke: 'currentColor'}
  expect(written('line', line)).toBe('<line y2="2" x1="1.23" stroke="#1f2328"></line>')
  const path = {transform: 'translate(-0.001,160.00000000000003)', d: 'M1e-7,0L1.5e-7,2.126', title: '1.23456'}
  expect(written('path', path)).toBe('<path transform="translate(0,160)" d="M0,0L0,2.13" title="1.23456"></path>')
})

test('DrawingDocument leaves numbers in texts alone, and drops styles and what is empty', () => {
  expect(written('text', {x: '1.0001'}, '1.23456')).toBe('<text x="1">1.23456</text>')
  expect(['text', 'g', 'title', 'style'].map(name => written(name, {}))).toEqual(['', '', '', ''])
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
