import {describe, expect, test} from 'vitest'
import type {BarsChart, Chart, LinesChart} from './chart.ts'
import {drawChart} from './draw-chart.ts'
import {seriesStyles} from './palette.ts'
import {bars, charts, lines, seriesNames as names, rates, reliability} from './test-charts.ts'
import {readSvg, svgTexts, svgTitles, textBoxes, touching} from './test-svg.ts'

describe.each(charts.map(chart => [`${chart.kind} (${JSON.stringify(chart).length})`, chart] as const))(
  'drawChart(%s)',
  (_, chart) => {
    const svg = drawChart(chart)

    test('drawChart(...) stands by itself, with title and description for those who cannot see it', () => {
      const [root, title, description] = readSvg(svg)
      expect(root.attributes).toMatchObject({
        xmlns: 'http://www.w3.org/2000/svg',
        role: 'img',
        'aria-label': chart.title,
        viewBox: `0 0 ${root.attributes.width} ${root.attributes.height}`
      })
      expect([title.name, title.text]).toEqual(['title', chart.title])
      expect([description.name, description.text]).toEqual(['desc', chart.description])
      expect(/http|url\(|<style|<script|⚠/.test(svg.replace(/xmlns="[^"]*"/, ''))).toBe(false)
    })

    test('drawChart(...) gives the same bytes each time, small ones', () => {
      expect(drawChart(structuredClone(chart)) === svg).toBe(true)
      expect(/ (d|[cxy]+\d?|transform|width|height)="[^"]*\d\.\d{3}/.test(svg)).toBe(false)
      expect(/NaN|Infinity|undefined/.test(svg)).toBe(false)
    })

    test('drawChart(...) keeps every text inside the picture and off the others', () => {
      const [root] = readSvg(svg)
      const boxes = textBoxes(svg)
      const [width, height] = [Number(root.attributes.width), Number(root.attributes.height)]
      const outside = boxes.filter(box => box.left < 0 || box.top < 0 || box.right > width || box.bottom > height)
      expect(outside).toEqual([])
      expect(touching(boxes, 1)).toEqual([])
    })
  }
)

test('drawChart(...) shows every series by name, with its own colour and dash in all panels', () => {
  const svg = drawChart(lines)
  expect(svgTexts(svg)).toEqual(expect.arrayContaining([...names, 'real', 'generated', '50', '5,000']))
  const strokes = readSvg(svg).flatMap(({attributes}) =>
    attributes['stroke-width'] === '1.6' ? [`${attributes.stroke} ${attributes['stroke-dasharray'] ?? ''}`] : []
  )
  // Once in the legend, once in each panel.
  for (const {colour, dash} of seriesStyles.slice(0, 3))
    expect(strokes.filter(stroke => stroke === `${colour} ${dash}`)).toHaveLength(3)
})

test('drawChart(...) says in a title what each point shows', () => {
  expect(svgTitles(drawChart(lines))).toContain('local: −3.3 at 50')
  expect(svgTitles(drawChart(bars))).toContain('this model: 50% (45% to 55%)')
  expect(svgTitles(drawChart(rates(3)))).toContain('concept 1: 40% (36% to 42%)')
})

test('drawChart(...) draws single runs fainter than means, and intervals as lines between their ends', () => {
  const svg = drawChart({...bars, panels: bars.panels.slice(0, 1)})
  const faint = readSvg(svg).filter(({attributes}) => attributes['fill-opacity'] === '0.4')
  expect(faint.flatMap(({children}) => children)).toHaveLength(2)
  const [zero, one] = readSvg(svg)
    .filter(({name, text}) => name === 'text' && (text === '0%' || text === '60%'))
    .map(({attributes}) => Number(attributes.transform.match(/translate\(([\d.]+)/)?.[1]))
  const [, from, to] = svg.match(/d="M([\d.]+),[\d.]+L([\d.]+),[\d.]+" stroke="#0072b2"/) ?? []
  expect((Number(to) - Number(from)) / (one - zero)).toBeCloseTo(0.1 / 0.6, 2)
})

const hostile = ['<script>alert(1)</script>', 'R&D "quoted" \'x\'', '😀\u0000\ud800', 'very long name '.repeat(6)]

test('drawChart(...) shows hostile names as they are, cut where they are long, whole in their titles', () => {
  const title = hostile.join(' ')
  const named: Chart[] = [
    {...lines, title, panels: [{title, series: hostile.map(name => ({name, points: [{x: 1, y: 2}]}))}]},
    {...bars, title, panels: [{title, bars: hostile.map(name => ({name, value: 1, group: name}))}]},
    {...reliability, title, panels: [{title, series: hostile.map(name => ({name, points: [{x: 0.5, y: 0.5}]}))}]}
  ]
  for (const chart of named) {
    const svg = drawChart(chart)
    expect(readSvg(svg).every(({name}) => name !== 'script')).toBe(true)
    expect(svgTexts(svg).some(text => text.startsWith('<script'))).toBe(true)
    const [root] = readSvg(svg)
    for (const box of textBoxes(svg)) expect(box.right).toBeLessThanOrEqual(Number(root.attributes.width))
  }
  expect(svgTitles(drawChart(named[1]))).toContain(hostile[3])
})

test('drawChart(...) draws what is empty and says so', () => {
  const empty: Chart[] = [
    {...lines, panels: [{title: 'none', series: []}]},
    {...lines, panels: [{title: 'none', series: [{name: 'a', points: []}]}]},
    {...bars, panels: [{title: 'none', bars: []}]},
    rates(0),
    {...reliability, panels: [{title: '', series: []}]}
  ]
  for (const chart of empty) expect(svgTexts(drawChart(chart))).toContain('no values')
  expect(readSvg(drawChart({...lines, panels: []}))[0].name).toBe('svg')
  expect(readSvg(drawChart({...bars, panels: []}))[0].name).toBe('svg')
})

const ofPoint = (point: object): LinesChart =>
  JSON.parse(JSON.stringify({...lines, panels: [{title: 'p', series: [{name: 's', points: [point]}]}]}))
const ofBar = (bar: object): BarsChart => ({
  ...bars,
  panels: [{title: 'p', bars: [{name: 'm', group: 'g', value: 1, ...bar}]}]
})
const many = Array.from({length: 13}, (_, i) => ({name: `s${i}`, points: []}))

test.each<[Chart, RegExp]>([
  [ofBar({value: Number.NaN}), /^drawChart: "m" of panel "p" is NaN; only finite numbers can be drawn; leave it/],
  [ofBar({marks: [Number.NaN]}), /"m" of panel "p" is NaN/],
  [ofBar({low: 0, high: Number.NaN}), /"m" of panel "p" is NaN/],
  [
    {...lines, panels: [{title: 'p', series: [{name: 's', points: [{x: 1, y: 1 / 0}]}]}]},
    /y of series "s" .* Infinity/
  ],
  [ofPoint({x: 0, y: 1}), /x of series "s" of panel "p" is 0; a logarithmic axis/],
  [{...ofPoint({x: 1, y: -1}), y: {label: 'y', log: true}}, /y of series "s" of panel "p" is -1; a logarithmic/],
  [{...lines, title: ' '}, /no title/],
  [{...lines, description: ''}, /no description/],
  [{...lines, panels: [{title: 'p', series: many}]}, /13 series, but readers can distinguish at most 12/]
])('drawChart(...) refuses what cannot be drawn, by name: %#', (chart, message) => {
  expect(() => drawChart(chart)).toThrow(message)
})

test('drawChart(...) draws one point, and y on a logarithmic axis', () => {
  const svg = drawChart({
    ...lines,
    y: {label: 'seconds', log: true},
    panels: [{title: 'p', series: [{name: 's', points: [10, 20, 40].map(x => ({x, y: x ** 3}))}]}]
  })
  const [, path] = svg.match(/<path d="(M[^"]*L[^"]*L[^"]*)"/) ?? []
  const places = path
    .split(/[ML]/)
    .slice(1)
    .map(point => Number(point.split(',')[1]))
  expect(places[0] - places[1]).toBeCloseTo(places[1] - places[2], 1)
  const lone = drawChart({...lines, panels: [{title: 'p', series: [{name: 's', points: [{x: 3, y: 7}]}]}]})
  expect(svgTitles(lone)).toEqual(['s: 7 at 3'])
})

test('drawChart(...) draws many bars in lower rows, so that the picture fits a page', () => {
  const size = (chart: BarsChart) => {
    const [{attributes}] = readSvg(drawChart(chart))
    return [Number(attributes.width), Number(attributes.height)]
  }
  const [[narrow], [wide, high]] = [size(rates(5)), size(rates(200, 3))]
  expect(narrow).toBeLessThan(720)
  expect(wide).toBeLessThan(1000)
  expect(high).toBeLessThan(1400)
})
