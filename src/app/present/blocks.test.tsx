import {h} from 'preact'
import {render} from 'preact-render-to-string'
import {expect, test} from 'vitest'
import {type Block, type BlockHost, Blocks, blocksText, heading, paragraph} from './index.ts'

const host: BlockHost = {
  link: (to, text) => h('a', {href: String(to)}, text),
  chart: ({chart}) => h('i', {}, chart.title)
}
const blocks: readonly Block[] = [
  heading('Rates'),
  paragraph(['Label ', {text: '30', look: 'strong'}, ' documents', {text: ' <now>', to: '#label'}, '.']),
  {
    kind: 'table',
    caption: 'Shares',
    columns: [{name: 'concept'}, {name: 'share', isFigure: true, meaning: 'of all documents'}],
    rows: [
      ['fall', {cell: '5.0%', bar: 0.05}],
      ['fever', {cell: [{text: '12%', look: 'best'}]}]
    ]
  },
  {kind: 'table', columns: [{name: 'a'}], rows: [], none: 'Nothing differs.'},
  {kind: 'list', items: ['one', 2]},
  {kind: 'terms', terms: [['F1', 'of all decisions']]}
]

test('blocksText(...) shows every block in plain lines, with numbers at the right', () => {
  expect(blocksText(blocks)).toBe(`Rates:

Label 30 documents <now>.

concept  share
fall      5.0%
fever      12%

Nothing differs.

one
2

F1  of all decisions`)
})

test('Blocks(...) shows the same text as HTML, escaped, with links, marks, tips and bars', () => {
  const html = render(h(Blocks, {blocks, host}))
  expect(html).toContain('<h3>Rates</h3>')
  expect(html).toContain('<b>30</b> documents<a href="#label"> &lt;now></a>')
  expect(html).toContain('title="of all documents"')
  expect(html).toMatch(/<rect class="part" width="50"[^>]*>/)
  expect(html).toContain('<span class="best">12%</span>')
  expect(html).toContain('Nothing differs.')
  expect(html).toContain('<dt>F1</dt><dd>of all decisions</dd>')
})
