import fc from 'fast-check'
import {expect, test} from 'vitest'
import {htmlText} from './html-text.ts'

test.each([
  ['plain words', 'plain words'],
  ['<p>How do I <em>un</em>do a <a href="x">merge</a>?</p>', 'How do I undo a merge?\n'],
  ['<p>one</p>\n\n<p>two</p>', 'one\n\n\ntwo\n'],
  ['one<br>two<br/>three<BR />four', 'one\ntwo\nthree\nfour'],
  ['<ul>\n<li>a</li><li>b</li></ul>', '\na\nb\n'],
  ['<h2>head</h2>text<hr>more', 'head\ntext\nmore'],
  ['use <code>git&nbsp;log</code> here', 'use git\u00a0log here'],
  ['before<pre><code>int x = 1 &lt; 2;\n</code></pre>after', 'before\nafter'],
  ['a<PRE class="lang-py"><code>b</code></Pre >c', 'a\nc'],
  ['a<pre>b</press>x</prefix>y</pre>c', 'a\nc'],
  ['a<pre>never closed', 'a\n'],
  ['a<script>if (a < b) alert("</p>")</script>b<style>p > a {}</style>c', 'abc'],
  ['a<!-- language: lang-js --><!-- > -- -->b<!---->c', 'abc'],
  ['a<![CDATA[x < y &amp; <b>]]>b', 'ax < y &amp; <b>b'],
  ['<!DOCTYPE html><?xml version="1.0"?>a', 'a'],
  ['<img alt="a > b" title=\'"\'>x', 'x'],
  ['a<span\ntitle="x"\n>b</span\n>c', 'abc'],
  ['<tagger>a</tagger>', 'a']
])('htmlText(%j) is %j', (html, text) => {
  expect(htmlText(html)).toBe(text)
})

test.each([
  ['&lt;b&gt; &amp;amp; &quot;x&quot; &apos;', `<b> &amp; "x" '`],
  ['&eacute;&Eacute;&szlig;&yuml;&alpha;&Omega;&sigmaf;&omega;&Rho;', 'éÉßÿαΩςωΡ'],
  ['&mdash;&rsquo;&hellip;&rarr;&le;&euro;&zwj;', '—’…→≤€\u200d'],
  ['&#65;&#x42;&#X63;&#128512;&#x1F600;&#00000065;', 'ABc😀😀A'],
  ['&#150;&#x92;&#0;&#xD800;&#x110000;&#99999999999999;', '–’\ufffd\ufffd\ufffd\ufffd'],
  [
    'AT&T & co; &nosuch; &; &#; &#x; &#xZZ; &#12a; &lt &constructor;',
    'AT&T & co; &nosuch; &; &#; &#x; &#xZZ; &#12a; &lt &constructor;'
  ],
  ['&am<b></b>p;', '&amp;'],
  ['&&lt;&lt;&', '&<<&']
])('htmlText(%j) decodes entities to %j', (html, text) => {
  expect(htmlText(html)).toBe(text)
})

test.each([
  ['1 < 2 and <3 </ 4> << 5', '1 < 2 and <3 </ 4> << 5'],
  ['a <b and no end', 'a <b and no end'],
  ['a <b title="never closed> c &lt;', 'a <b title="never closed> c <'],
  ['a <!-- never closed <b>c</b>', 'a <!-- never closed <b>c</b>'],
  ['a <![CDATA[ b', 'a <![CDATA[ b'],
  ['<', '<'],
  ['</', '</'],
  ['', '']
])('htmlText(%j) keeps what is no tag: %j', (html, text) => {
  expect(htmlText(html)).toBe(text)
})

test('htmlText(html) gives escaped text back', () => {
  const escaped = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), fc.string({unit: 'grapheme'}), (one, two) => {
      expect(htmlText(`<b>${escaped(one)}</b><i>${escaped(two)}</i>`)).toBe(one + two)
    })
  )
})

test('htmlText(html) never throws and is never longer than the HTML', () => {
  const markup = fc.constantFrom(
    '<',
    '>',
    '</',
    '<p>',
    '<pre>',
    '</pre>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&',
    '&lt;',
    '"',
    "'",
    'a',
    ' '
  )
  fc.assert(
    fc.property(fc.array(markup, {maxLength: 30}), parts => {
      expect(htmlText(parts.join('')).length).toBeLessThanOrEqual(parts.join('').length)
    }),
    {numRuns: 500}
  )
})

test.each(['<', '<a', '<a "', '</', '<pre></', '<!--', '<![CDATA[', '&', '&lt', '&#x', '<p>&', '<b>x', '<a"<b\''])(
  'htmlText(...) takes linear time on %j repeated',
  unit => {
    // Quadratic time would need 16 times as long for 4 times the text, and a minute for this much.
    const started = performance.now()
    htmlText(unit.repeat(1_000_000 / unit.length))
    expect(performance.now() - started).toBeLessThan(3000)
  }
)
