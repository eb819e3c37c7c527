import {expect, test} from 'vitest'
import {pictureFile} from './picture.tsx'

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" viewBox="0 0 300 200">
<title>Network</title>
<style>@media (prefers-color-scheme: dark) {
svg:root text { fill: #ffffff; }
}</style>
<text fill="#1f2328">style</text>
</svg>`

test('pictureFile(svg, name, "svg") is the picture without what makes it dark', async () => {
  const {name, type, parts} = await pictureFile(svg, 'network', 'svg')
  expect([name, type]).toEqual(['network.svg', 'image/svg+xml'])
  expect(
    new TextDecoder().decode(parts[0])
  ).toBe(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" viewBox="0 0 300 200">
<title>Network</title>
<text fill="#1f2328">style</text>
</svg>
`)
})
