import {expect, test} from 'vitest'
import {drawingDocument} from './drawing-document.ts'
import {escapeXml, rounded, type SvgNode, svgMarkup} from './svg-markup.ts'
import {readSvg} from './test-svg.ts'

function element(name: string, attributes: Readonly<Record<string, string>>, inside: string | readonly SvgNode[] = []) {
  const made = drawingDocument().createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  if (typeof inside === 'string') made.textContent = inside
  else for (const child of inside) made.appendChild(child)
  return made
}

const written = (...nodes: readonly SvgNode[]) => svgMarkup(element('svg', {}, nodes))

test('svgMarkup(...) writes attributes by name, geometry with two decimals, and nothing for screen readers', () => {
  const line = {y2: '2', x1: '1.23456', class: 'z', 'aria-label': 'rule', stroke: 'currentColor'}
  expect(written(element('g', {}, [element('line', line)]))).toBe('<g><line stroke="#1f2328" x1="1.23" y2="2"/></g>')
  const path = {transform: 'translate(-0.001,160.00000000000003)', d: 'M1e-7,0L1.5e-7,2.126', title: '1.23456'}
  expect(written(element('path', path))).toBe('<path d="M0,0L0,2.13" title="1.23456" transform="translate(0,160)"/>')
})

test('svgMarkup(...) leaves numbers in texts alone, and drops styles, comments and what is empty', () => {
  const comment: SvgNode = {nodeType: 8, nodeValue: ' y ', childNodes: []}
  const empty = [element('text', {}), element('g', {}, [element('title', {})]), element('style', {}, 'x'), comment]
  expect(written(element('text', {x: '1.0001'}, '1.23456'), ...empty)).toBe('<text x="1">1.23456</text>')
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
