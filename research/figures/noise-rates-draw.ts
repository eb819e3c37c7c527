import type {Figure} from './noise-rates-measure.ts'

/** Colours of Okabe and Ito, distinguishable with any colour vision. */
const lines = [
  {method: 'pooled', colour: '#0072B2', text: 'pooled over concepts'},
  {method: 'each concept by itself', colour: '#E69F00', text: 'each concept by itself'}
] as const
const levels = [
  {method: 'exact', colour: '#000000', dash: '7 4', text: 'exact rates'},
  {method: 'guess', colour: '#777777', dash: '2 4', text: 'guess, no labels'}
] as const
const panel = {width: 210, height: 150, gapX: 62, gapY: 66, left: 58, top: 84, columns: 4}

/** Last-tag accuracy against the number of labelled documents, one panel per corpus. */
export function drawAccuracy(figures: readonly Figure[]): string {
  const corpora = [...new Set(figures.map(({corpus}) => corpus))]
  const rows = Math.ceil(corpora.length / panel.columns)
  const width = panel.left + panel.columns * (panel.width + panel.gapX)
  const height = panel.top + rows * (panel.height + panel.gapY) + 10
  const panels = corpora.map((corpus, at) => {
    const x = panel.left + (at % panel.columns) * (panel.width + panel.gapX)
    const y = panel.top + Math.floor(at / panel.columns) * (panel.height + panel.gapY)
    const own = figures.filter(figure => figure.corpus === corpus)
    return `<g transform="translate(${x} ${y})">${drawPanel(corpus, own)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Helvetica, Arial, sans-serif" font-size="12">
<title>Last-tag accuracy by the number of labelled documents that the noise rates rest on</title>
<rect width="${width}" height="${height}" fill="white"/>
${legend()}
${panels.join('\n')}
</svg>
`
}

function drawPanel(corpus: string, figures: readonly Figure[]): string {
  const {width, height} = panel
  const labels = [...new Set(figures.map(figure => figure.labels))].filter(count => count > 0).sort((a, b) => a - b)
  const shown = figures.filter(({method}) => [...lines, ...levels].some(line => line.method === method))
  const values = shown.map(({lastTag}) => lastTag)
  const low = Math.floor(50 * Math.min(...values)) / 50
  const high = Math.ceil(50 * Math.max(...values)) / 50
  const x = (count: number) => (width * Math.log(count / labels[0])) / Math.log(labels[labels.length - 1] / labels[0])
  const y = (value: number) => height - (height * (value - low)) / (high - low)
  const ticks = [low, (low + high) / 2, high]
  const parts = [
    `<text x="0" y="-8" font-weight="bold">${corpus}</text>`,
    ...ticks.map(
      tick =>
        `<line x1="0" x2="${width}" y1="${y(tick)}" y2="${y(tick)}" stroke="#dddddd"/>` +
        `<text x="-6" y="${y(tick) + 4}" text-anchor="end">${tick.toFixed(2)}</text>`
    ),
    ...labels.map(count => `<text x="${x(count)}" y="${height + 18}" text-anchor="middle">${count}</text>`),
    `<text x="${width / 2}" y="${height + 36}" text-anchor="middle" fill="#555555">labelled documents</text>`,
    ...levels.flatMap(({method, colour, dash}) => {
      const found = figures.find(figure => figure.method === method && figure.labels === 0)
      if (found === undefined) return []
      const at = y(found.lastTag)
      return [
        `<line x1="0" x2="${width}" y1="${at}" y2="${at}" stroke="${colour}" stroke-width="1.6" stroke-dasharray="${dash}"/>`
      ]
    }),
    ...lines.map(({method, colour}) => {
      const points = figures.filter(figure => figure.method === method).sort((a, b) => a.labels - b.labels)
      const places = points.map(({labels: count, lastTag}) => `${x(count).toFixed(1)},${y(lastTag).toFixed(1)}`)
      return (
        `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>` +
        places
          .map(place => `<circle cx="${place.split(',')[0]}" cy="${place.split(',')[1]}" r="3" fill="${colour}"/>`)
          .join('')
      )
    })
  ]
  return parts.join('\n')
}

function legend(): string {
  const entries = [...lines.map(line => ({...line, dash: 'none'})), ...levels]
  let x = panel.left
  const drawn = entries.map(({colour, dash, text}) => {
    const at = x
    x += 52 + 6.2 * text.length
    return (
      `<line x1="${at}" x2="${at + 26}" y1="28" y2="28" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>` +
      `<text x="${at + 32}" y="32">${text}</text>`
    )
  })
  return `${drawn.join('\n')}\n<text x="${panel.left}" y="56" fill="#555555">accuracy of the last tag given the others, held-out documents</text>`
}
