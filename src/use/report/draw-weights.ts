import * as Plot from '@observablehq/plot'
import {shareText, withMinus} from './axis-ticks.ts'
import type {WeightsChart} from './chart.ts'
import {palette, textSize} from './palette.ts'
import {type DrawingDocument, type PicturePart, placed, plotPart} from './plot-part.ts'
import {fitText} from './text-size.ts'

const COLUMNS = 4
const CARD = 232
const ROW = 15
const TOP = 24
const WORD = 104
const VALUE = 40

/** A small card for each concept: its words, and bars that have one scale over all cards. */
export function drawWeights(chart: WeightsChart, document: DrawingDocument): PicturePart[] {
  const values = chart.rows.flatMap(({items}) => items.map(({value}) => value))
  const domain = [Math.min(0, ...values), Math.max(0, ...values)]
  if (domain[0] === domain[1]) domain[1] = 1
  const columns = Math.max(1, Math.min(COLUMNS, chart.rows.length))
  let top = 0
  const cards: string[] = []
  for (let from = 0; from < chart.rows.length; from += columns) {
    const row = chart.rows.slice(from, from + columns)
    const height = TOP + ROW * Math.max(1, ...row.map(({items}) => items.length)) + 14
    row.forEach((card, at) => {
      cards.push(placed(drawCard({chart, card, domain, height}, document), at * CARD, top))
    })
    top += height
  }
  return [note(chart, columns * CARD, document), {markup: cards.join(''), width: columns * CARD, height: top}]
}

function note({x, rows}: WeightsChart, width: number, document: DrawingDocument): PicturePart {
  const text = rows.length === 0 ? 'no values' : `Bars: ${x.label}; one scale for all`
  const fitted = fitText(text, width, textSize.body)
  const mark = Plot.text([fitted], {frameAnchor: 'left', fill: palette.quietInk, fontSize: textSize.body})
  return plotPart(document, {margin: 0, width, height: 26, marks: [mark]})
}

interface Card {
  readonly chart: WeightsChart
  readonly card: WeightsChart['rows'][number]
  readonly domain: readonly number[]
  readonly height: number
}

function drawCard({chart, card, domain, height}: Card, document: DrawingDocument): PicturePart {
  const text = chart.x.percent ? shareText : (value: number) => withMinus(value.toFixed(2))
  const {items, name} = card
  const heading = fitText(name, CARD - 16, textSize.body)
  const rows = items.map(({label, value}, at) => {
    const word = fitText(label, WORD - 8, textSize.small)
    return {value, at, word, whole: word === label ? '' : label}
  })
  return plotPart(document, {
    width: CARD,
    height,
    marginLeft: WORD,
    marginRight: VALUE + 12,
    marginTop: TOP,
    marginBottom: height - TOP - ROW * Math.max(1, items.length),
    x: {type: 'linear', domain, axis: null},
    y: {type: 'band', domain: rows.map(({at}) => at), axis: null, padding: 0.3},
    marks: [
      Plot.text([heading], {
        frameAnchor: 'top-left',
        lineAnchor: 'bottom',
        dx: -WORD,
        dy: -5,
        fontSize: textSize.body,
        fontWeight: 'bold',
        title: [heading === name ? '' : name]
      }),
      Plot.barX(rows, {x: 'value', y: 'at', fill: ({value}) => (value < 0 ? palette.vermilion : palette.blue)}),
      Plot.ruleX([0], {stroke: palette.rule}),
      Plot.text(rows, {y: 'at', text: 'word', frameAnchor: 'left', textAnchor: 'end', dx: -6, title: 'whole'}),
      Plot.text(rows, {
        y: 'at',
        text: ({value}) => text(value),
        frameAnchor: 'right',
        textAnchor: 'start',
        dx: 5,
        fill: palette.quietInk
      })
    ]
  })
}
