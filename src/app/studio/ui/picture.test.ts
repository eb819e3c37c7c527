import {expect, test} from 'vitest'
import {pictureFile, pngSize, standalone} from './picture.tsx'

const svg = (width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>Network</title>
<style>@media (prefers-color-scheme: dark) {
svg:root text { fill: #ffffff; }
}</style>
<rect class="paper" width="${width}" height="${height}" fill="#ffffff"/>
<text fill="#1f2328">style</text>
</svg>`

test('standalone(svg) leaves out what makes the picture dark, and nothing else', () => {
  const text = standalone(svg(300, 200))
  expect(text).toBe(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" viewBox="0 0 300 200">
<title>Network</title>
<rect class="paper" width="300" height="200" fill="#ffffff"/>
<text fill="#1f2328">style</text>
</svg>
`)
  expect(standalone(text)).toBe(text)
  expect(() => standalone('<div>')).toThrow('not a picture')
})

test('pictureFile(svg, name, "svg") is the picture in a file', async () => {
  const {name, type, parts} = await pictureFile(svg(300, 200), 'network', 'svg')
  expect([name, type]).toEqual(['network.svg', 'image/svg+xml'])
  expect(new TextDecoder().decode(parts[0])).toBe(standalone(svg(300, 200)))
})

test('pngSize(svg) is twice the size of the picture, and refuses what browsers do not draw', () => {
  expect(pngSize(svg(300, 200.4))).toEqual({width: 600, height: 401})
  expect(pngSize(svg(8000, 2000))).toEqual({width: 16_000, height: 4000})
  expect(() => pngSize(svg(8193, 10))).toThrow('16386 x 20 pixels, more than browsers draw; save it as SVG')
  expect(() => pngSize(svg(8000, 8000))).toThrow('more than browsers draw')
  expect(() => pngSize('<svg xmlns="x">')).toThrow('does not say its size')
})
