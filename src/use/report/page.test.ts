import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {escapeHtml, figure, html, htmlTable, renderPage} from './page.ts'

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
    expect(page).toContain(
      "default-src 'none'; style-src 'unsafe-inline'; style-src-attr 'none'; script-src 'unsafe-inline'; img-src data:"
    )
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
})

describe('escapeHtml', () => {
  test('escapeHtml(text) leaves no character that begins or ends a tag, an attribute or an entity', () => {
    expect(escapeHtml(`<script>alert("x" & 'y')</script>`)).toBe(
      '&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;'
    )
  })

  test('escapeHtml(text) keeps the text: decoding gives it back', () => {
    const decoded = (text: string) =>
      text
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&')
    fc.assert(
      fc.property(fc.string({unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ';', 'lt', '#39')}), text => {
        expect(decoded(escapeHtml(text))).toBe(text)
        expect(escapeHtml(text)).not.toMatch(/[<>"']/)
      })
    )
  })
})

describe('html', () => {
  test('html`...` escapes text and keeps markup, numbers, lists and nothing', () => {
    const list = ['<b>', html`<i>${'&'}</i>`]
    expect(html`<p title="${'"'}">${list} ${3}${undefined}</p>`.text).toBe(
      '<p title="&quot;">&lt;b&gt;<i>&amp;</i> 3</p>'
    )
  })

  test('html`...` takes words such as __proto__ and constructor as words', () => {
    expect(html`${'__proto__'} ${'constructor'}`.text).toBe('__proto__ constructor')
  })
})

describe('htmlTable', () => {
  test('htmlTable(...) names its columns and rows for screen readers, and puts figures at the right', () => {
    const {text} = htmlTable({
      caption: 'A & B',
      head: ['name', 'share'],
      rows: [['<x>', html`<b>1</b>`]],
      align: ['left', 'right']
    })
    expect(text).toContain('<caption>A &amp; B</caption>')
    expect(text).toContain('<th scope="col">name</th><th scope="col" class="figure">share</th>')
    expect(text).toContain('<tr><th scope="row">&lt;x&gt;</th><td class="figure"><b>1</b></td></tr>')
    expect(text).toContain('role="region" aria-label="A &amp; B" tabindex="0"')
    expect(text).not.toContain('sortable')
  })

  test('htmlTable({id, sortable}) marks what the script of a page works on', () => {
    const {text} = htmlTable({caption: 'c', head: ['a'], rows: [], id: 'all', sortable: true})
    expect(text).toContain('<table id="all" class="sortable">')
  })
})

describe('figure', () => {
  test('figure(svg, caption, id) shows the picture without its XML heading and escapes the caption', () => {
    const {text} = figure('<?xml version="1.0"?>\n<svg><g/></svg>\n', 'a < b', 'f')
    expect(text).toContain('><svg><g/></svg></div>')
    expect(text).not.toContain('<?xml')
    expect(text).toContain('<figcaption id="f-caption">a &lt; b</figcaption>')
  })
})
