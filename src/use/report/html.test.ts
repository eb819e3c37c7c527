import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {escapeHtml, figure, html, htmlTable, Markup} from './html.ts'

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

test('new Markup(text) is its text', () => {
  expect(String(new Markup('<p>'))).toBe('<p>')
})
