import {expect, test} from 'vitest'
import {drawingDocument} from './drawing-document.ts'
import {svgMarkup} from './svg-markup.ts'

const SVG = 'http://www.w3.org/2000/svg'
const document = drawingDocument()
const element = (name: string) => document.createElementNS(SVG, name)

test('drawingDocument(...) keeps children in their order', () => {
  const parent = element('g')
  const [a, b, c] = ['circle', 'rect', 'path'].map(element)
  expect(parent.appendChild(b)).toBe(b)
  expect(parent.insertBefore(c, null)).toBe(c)
  parent.insertBefore(a, b)
  expect(svgMarkup(parent)).toBe('<circle/><rect/><path/>')
})

test('drawingDocument(...) has the last value of each attribute, as text, and the last text', () => {
  const parent = element('g')
  const text = parent.appendChild(element('text'))
  text.setAttribute('x', 1)
  text.setAttribute('x', 2)
  text.setAttribute('y', 3)
  text.removeAttribute('y')
  text.textContent = 'before'
  text.textContent = 'a < b'
  expect(text.attributes).toEqual([{name: 'x', value: '2'}])
  expect(svgMarkup(parent)).toBe('<text x="2">a &lt; b</text>')
})

test('drawingDocument(...) gives elements their document and namespace, by which further ones are made', () => {
  expect(element('g')).toMatchObject({ownerDocument: document, namespaceURI: SVG})
  expect(document.documentElement.ownerDocument).toBe(document)
  expect(document.documentElement.namespaceURI).not.toBe(SVG)
})
