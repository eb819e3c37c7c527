import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {escapeHtml} from '../drawing/index.ts'
import {renderPage} from './page.tsx'

const sections = [
  {id: 'one', title: 'First <part>', body: '1'},
  {id: 'two', title: 'Second', body: '2'}
]

describe('renderPage', () => {
  test('renderPage(...) is a whole page that says its language, title and width, and may fetch nothing', () => {
    const page = renderPage({title: 'A <title>', lead: 'Lead & all', sections})
    expect(page.startsWith('<!DOCTYPE html>\n<html lang="en">')).toBe(true)
    expect(page).toContain('<title>A &lt;title></title>')
    expect(page).toContain('<h1>A &lt;title></h1>')
    expect(page).toContain('Lead &amp; all')
    expect(page).toContain(
      "default-src 'none'; style-src 'unsafe-inline'; style-src-attr 'none'; script-src 'none'; img-src data:"
    )
    expect(page).toContain('name="viewport"')
    expect(page).not.toMatch(/https?:|<script|@import|url\(/)
  })

  test('renderPage(...) links to the content and to every section', () => {
    const page = renderPage({title: 't', lead: '', sections})
    expect(page).toContain('<a class="skip" href="#content">')
    expect(page).toContain('<li><a href="#one">First &lt;part></a></li>')
    expect(page).toContain('<section id="two" aria-labelledby="two-title"><h2 id="two-title">Second</h2>2</section>')
  })

  test('renderPage(...) of one section needs no contents; script and style follow those of every page', () => {
    const page = renderPage({
      title: 't',
      lead: '',
      sections: sections.slice(1),
      script: {text: 'let a = 1 < 2', hash: 'sha256-x'},
      style: '.x { color: red; }'
    })
    expect(page).not.toContain('<nav')
    expect(page).toContain("script-src 'sha256-x';")
    expect(page).toContain('<script>let a = 1 < 2</script></body>')
    expect(page).toMatch(/\.x { color: red; }<\/style>/)
  })
})

test('escapeHtml(text) leaves no character that begins or ends a tag, an attribute or an entity, and loses none', () => {
  const names: Readonly<Record<string, string>> = {lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&'}
  const decoded = (text: string) => text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => names[name])
  fc.assert(
    fc.property(fc.string({unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ';', 'lt', '#39')}), text => {
      expect(decoded(escapeHtml(text))).toBe(text)
      expect(escapeHtml(text)).not.toMatch(/[<>"']/)
    })
  )
})
