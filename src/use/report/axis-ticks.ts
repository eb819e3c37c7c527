import {log} from '../../base/numeric/index.ts'
import type {ChartAxis} from './chart.ts'
import {textSize} from './palette.ts'
import {textWidth} from './text-size.ts'

/** An axis ready to draw: its range and where its numbers go. */
export interface AxisTicks {
  readonly domain: readonly [number, number]
  readonly ticks: readonly number[]
  readonly text: (value: number) => string
}

export interface AxisRoom {
  readonly pixels: number
  /** Numbers are stacked, so their width does not matter. */
  readonly isVertical?: boolean
  /** End at the values, not at the next round numbers. */
  readonly isTight?: boolean
}

export function axisTicks(axis: ChartAxis, values: readonly number[], room: AxisRoom): AxisTicks {
  const text = axis.percent ? percentText : numberText
  const [low, high] = span(axis, values)
  const thin = (ticks: readonly number[], domain: readonly [number, number]) =>
    withoutTouching(ticks, domain, {...room, text, isLog: axis.log === true})
  if (axis.log) return {domain: [low, high], ticks: thin(axis.ticks ?? logTicks(low, high), [low, high]), text}
  if (axis.ticks) {
    const domain: [number, number] = [Math.min(low, ...axis.ticks), Math.max(high, ...axis.ticks)]
    return {domain, ticks: thin(axis.ticks, domain), text}
  }
  for (let count = MOST_TICKS; ; count--) {
    const nice = niceTicks(low, high, count)
    const domain: [number, number] = room.isTight ? [low, high] : [nice[0], nice[nice.length - 1]]
    const ticks = nice.filter(tick => tick >= domain[0] && tick <= domain[1])
    if (count === 1 || thin(ticks, domain).length === ticks.length) return {domain, ticks, text}
  }
}

const MOST_TICKS = 6

/** The range of the values with a margin; shares stay within 0 and 1. A single value is centred. */
function span({log: isLog, percent}: ChartAxis, values: readonly number[]): [number, number] {
  if (values.length === 0) return isLog ? [1, 10] : [0, 1]
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (isLog) return low === high ? [low / 2, high * 2] : [low, high]
  const air = low === high ? Math.max(Math.abs(low) * 0.1, percent ? 0.05 : 0.5) : 0.04 * (high - low)
  const isShare = percent && low >= 0 && high <= 1
  // The margin must not take a range of nonnegative values below 0.
  const floor = low >= 0 ? Math.max(0, low - air) : low - air
  return isShare ? [floor, Math.min(1, high + air)] : [floor, high + air]
}

/** Round numbers that cover `low` to `high` in about `count` steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count
  const power = Number(`1e${raw.toExponential().split('e')[1]}`)
  const step = power * ([1, 2, 5].find(factor => factor * power >= raw * 0.999) ?? 10)
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  return Array.from({length: last - first + 1}, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** Powers of ten, with 2 and 5 between them where there would be fewer than three. */
function logTicks(low: number, high: number): number[] {
  const [from, to] = [low, high].map(value => Number(value.toExponential().split('e')[1]))
  const all = Array.from({length: to - from + 2}, (_, at) => [1, 2, 5].map(factor => Number(`${factor}e${from + at}`)))
  const inside = (ticks: number[]) => ticks.filter(tick => tick >= low && tick <= high)
  const powers = inside(all.map(([power]) => power))
  return powers.length >= 3 ? powers : inside(all.flat())
}

interface TextRoom extends AxisRoom {
  readonly text: (value: number) => string
  readonly isLog: boolean
}

const VERTICAL_ROOM = 20

/** Keeps the first and the last number, and of the others those that do not overlap. */
function withoutTouching(ticks: readonly number[], [low, high]: readonly [number, number], room: TextRoom): number[] {
  const place = (value: number) => (room.isLog ? log(value) - log(low) : value - low)
  const unit = room.pixels / place(high)
  const boxes = ticks
    .filter(tick => tick >= low && tick <= high)
    .toSorted((a, b) => a - b)
    .map(tick => {
      const half = room.isVertical ? VERTICAL_ROOM / 2 : textWidth(room.text(tick), textSize.small) / 2 + 3
      return {tick, from: place(tick) * unit - half, to: place(tick) * unit + half}
    })
  const kept: (typeof boxes)[number][] = []
  for (const box of [...boxes.slice(0, 1), ...boxes.slice(1).slice(-1), ...boxes.slice(1, -1)])
    if (kept.every(other => box.from >= other.to || box.to <= other.from)) kept.push(box)
  return kept.map(({tick}) => tick).sort((a, b) => a - b)
}

/** At most four significant digits below 1000, and commas between thousands. */
export function numberText(value: number): string {
  const [whole, rest] = String(Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4))).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return withMinus(rest === undefined ? grouped : `${grouped}.${rest}`)
}

/** With a true minus sign, as wide as a digit. */
export function withMinus(text: string): string {
  return text.replace('-', '\u2212')
}

/** With one decimal, so that decimal points align: "12.0%", "3.4%"; two for very small shares: "0.05%". */
export function shareText(share: number): string {
  return `${(100 * share).toFixed(share !== 0 && Math.abs(share) < 0.001 ? 2 : 1)}%`
}

/** At most three significant digits: "12%", "3.4%", "0.05%". */
export function percentText(share: number): string {
  return `${Number((100 * share).toPrecision(3))}%`
}
