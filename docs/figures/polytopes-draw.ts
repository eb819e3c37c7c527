import type {Method, Result} from './polytopes-measure.ts'
import {bySize, mean, methods, of, type Recorded} from './polytopes-tables.ts'

/** Colours of Okabe and Ito, which people with any colour vision can tell apart; oracles are dashed. */
const look: Readonly<Record<Method, {colour: string; dash: string}>> = {
  simplex: {colour: '#E69F00', dash: 'none'},
  local: {colour: '#56B4E9', dash: 'none'},
  cycle: {colour: '#009E73', dash: 'none'},
  marginal: {colour: '#D55E00', dash: 'none'},
  'oracle tree': {colour: '#000000', dash: '7 4'},
  'oracle independent': {colour: '#777777', dash: '3 4'}
}
const panel = {width: 430, height: 330, top: 84, lefts: [70, 560]}
const picture = {width: 1010, height: 474}

/** One point a split and method. */
interface Point {
  readonly method: Method
  /** Training documents; for a line, their mean over splits. */
  readonly size: number
  readonly value: number
}

interface Scale {
  readonly x: (size: number) => number
  readonly y: (value: number) => number
  readonly sizes: readonly number[]
  readonly values: readonly number[]
}

/** Real documents beside generated ones, of the one corpus that was measured at several sizes; nothing when there is none. */
export function drawFigure(recorded: Recorded): string | undefined {
  const drawn = recorded.find(({results}) => results.some(({data}) => data === 'generated'))
  if (drawn === undefined) return undefined
  const results = drawn.results.filter(({pull}) => pull === '10/N')
  const scale = scaleOf(results)
  const panels = (['real', 'generated'] as const).map((data, at) => {
    const title = data === 'real' ? drawn.corpus : 'documents drawn from the tree learned there'
    const content = drawPanel(
      results.filter(result => result.data === data),
      scale,
      title
    )
    return `<g transform="translate(${panel.lefts[at]} ${panel.top})">${content}</g>`
  })
  const {width, height} = picture
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Helvetica, Arial, sans-serif" font-size="13">
<title>Held-out log-likelihood of the tags per document, by polytope and training documents</title>
<rect width="${width}" height="${height}" fill="white"/>
${legend()}
${panels.join('\n')}
<text x="${width / 2}" y="${height - 14}" text-anchor="middle">training documents</text>
<text transform="translate(20 ${panel.top + panel.height / 2}) rotate(-90)" text-anchor="middle">held-out log-likelihood per document, nats</text>
</svg>
`
}

/** One scale for both panels. */
function scaleOf(results: readonly Result[]): Scale {
  const sizes = bySize(results).map(({size}) => Math.round(size))
  const found = results.map(({logLikelihood}) => logLikelihood)
  const step = 0.5
  const low = Math.floor(Math.min(...found) / step) * step
  const high = Math.ceil(Math.max(...found) / step) * step
  const [first, last] = [Math.log(sizes[0]), Math.log(sizes[sizes.length - 1])]
  return {
    x: size => 20 + ((Math.log(size) - first) / (last - first)) * (panel.width - 40),
    y: value => ((high - value) / (high - low)) * panel.height,
    sizes,
    values: Array.from({length: Math.round((high - low) / step) + 1}, (_, at) => low + at * step)
  }
}

function drawPanel(results: readonly Result[], scale: Scale, title: string): string {
  const groups = bySize(results)
  const markers = results.map(({method, size, logLikelihood}) => ({method, size, value: logLikelihood}))
  const lines = methods.map(method =>
    groups.map(({size, results: group}) => ({
      method,
      size,
      value: mean(of(group, method).map(({logLikelihood}) => logLikelihood))
    }))
  )
  return [
    `<text x="${panel.width / 2}" y="-14" text-anchor="middle" font-weight="bold">${title}</text>`,
    ...axes(scale),
    ...markers.map(point => marker(point, scale)),
    ...lines.map(points => line(points, scale))
  ].join('\n')
}

function axes({x, y, sizes, values}: Scale): string[] {
  const {width, height} = panel
  return [
    ...values.map(value => `<path d="M0 ${fixed(y(value))}H${width}" stroke="#e5e5e5"/>`),
    ...values.map(
      value =>
        `<text x="-8" y="${fixed(y(value) + 4)}" text-anchor="end" fill="#444">${value.toFixed(1).replace('-', '−')}</text>`
    ),
    `<path d="M0 0V${height}H${width}" fill="none" stroke="#444"/>`,
    ...sizes.map(size => `<path d="M${fixed(x(size))} ${height}v5" stroke="#444"/>`),
    ...sizes.map(
      size =>
        `<text x="${fixed(x(size))}" y="${height + 20}" text-anchor="middle" fill="#444">${size.toLocaleString('en')}</text>`
    )
  ]
}

function marker({method, size, value}: Point, {x, y}: Scale): string {
  return `<circle cx="${fixed(x(size))}" cy="${fixed(y(value))}" r="2.5" fill="${look[method].colour}" opacity="0.3"/>`
}

function line(points: readonly Point[], {x, y}: Scale): string {
  const {colour, dash} = look[points[0].method]
  const path = points.map(({size, value}) => `${fixed(x(size))} ${fixed(y(value))}`).join('L')
  return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2.2" stroke-dasharray="${dash}" stroke-linejoin="round"/>`
}

function legend(): string {
  const starts = [70, 175, 265, 360, 475, 610]
  return methods
    .map((method, at) => {
      const {colour, dash} = look[method]
      const sample = `<path d="M0 0h28" stroke="${colour}" stroke-width="2.6" stroke-dasharray="${dash}"/>`
      return `<g transform="translate(${starts[at]} 28)">${sample}<text x="35" y="4">${method}</text></g>`
    })
    .join('\n')
}

function fixed(value: number): string {
  return value.toFixed(1)
}
