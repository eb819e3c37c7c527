import * as Plot from '@observablehq/plot'
import {palette, type SeriesStyle, textSize} from './palette.ts'
import {type DrawingDocument, type PicturePart, pixelScales, plotPart} from './plot-part.ts'
import {styledDot} from './styled-dot.ts'
import {fitText, textWidth} from './text-size.ts'

export interface LegendEntry {
  readonly name: string
  readonly style: SeriesStyle
  readonly shows: 'line' | 'symbol' | 'both'
}

const LINE_HEIGHT = 20
const SAMPLE = 38
const GAP = 22

/** What each symbol and dash stands for, in as many lines as `width` asks for. */
export function drawLegend(entries: readonly LegendEntry[], width: number, document: DrawingDocument): PicturePart {
  let x = 0
  let line = 0
  const marks: Plot.Markish[] = []
  for (const {name, style, shows} of entries) {
    const sample = shows === 'symbol' ? 14 : SAMPLE
    const text = fitText(name, width - sample - 6, textSize.body)
    const needed = sample + 6 + textWidth(text, textSize.body)
    if (x > 0 && x + needed > width) {
      x = 0
      line++
    }
    const y = LINE_HEIGHT * (line + 0.5)
    const middle = x + sample / 2
    if (shows !== 'symbol')
      marks.push(
        Plot.link([0], {
          x1: x,
          x2: x + sample,
          y1: y,
          y2: y,
          stroke: style.colour,
          strokeWidth: 1.6,
          strokeDasharray: style.dash || 'none'
        })
      )
    if (shows !== 'line') marks.push(styledDot([{x: middle, y}], style))
    marks.push(
      Plot.text([text], {x: x + sample + 6, y, textAnchor: 'start', fontSize: textSize.body, fill: palette.ink})
    )
    x += needed + GAP
  }
  const height = entries.length === 0 ? 0 : LINE_HEIGHT * (line + 1) + 8
  return plotPart(document, {...pixelScales, width, height: Math.max(1, height), marks})
}
