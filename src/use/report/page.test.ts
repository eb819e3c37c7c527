import {describe, expect, test} from 'vitest'
import {html} from './html.ts'
import {renderPage} from './page.ts'

const sections = [
  {id: 'one', title: 'First <part>', html: html`<p>1</p>`},
  {id: 'two', title: 'Second', html: html`<p>2</p>`}
]

describe('renderPage', () => {
  test('renderPage(...) is a whole page that says its language, title and width, and may fetch nothing', () => {
    const page = renderPage({title: 'A <title>', lead: 'Lead & all', sections})
    expect(page.startsWith('<!DOCTYPE html>\n<html lang="en">')).toBe(true)
    expect(page).toContain('<title>A &lt;title&gt;</title>')
    expect(page).toContain('<h1>A &lt;title&gt;</h1>')
    expect(page).toContain('Lead &amp; all')
    expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:")
    expect(page).toContain('name="viewport"')
    expect(page).not.toMatch(/https?:|<script|@import|url\(/)
  })

  test('renderPage(...) links to the content and to every section', () => {
    const page = renderPage({title: 't', lead: '', sections})
    expect(page).toContain('<a class="skip" href="#content">')
    expect(page).toContain('<li><a href="#one">First &lt;part&gt;</a></li>')
    expect(page).toContain('<section id="two" aria-labelledby="two-title">\n<h2 id="two-title">Second</h2>\n<p>2</p>')
  })

  test('renderPage(...) of one section needs no contents', () => {
    expect(renderPage({title: 't', lead: '', sections: sections.slice(1)})).not.toContain('<nav')
  })

  test('renderPage({script, style}) puts the script at the end and the style after that of every page', () => {
    const page = renderPage({title: 't', lead: '', sections, script: 'let a = 1 < 2', style: '.x { color: red; }'})
    expect(page).toContain('<script>let a = 1 < 2</script>\n</body>')
    expect(page).toMatch(/\.x { color: red; }<\/style>/)
  })

  test('renderPage(...) gives the same bytes again', () => {
    const page = () => renderPage({title: 't', lead: 'l', sections})
    expect(page()).toBe(page())
  })
})
