import type {NumberField} from './row-fields.ts'

/**
 * The name of the bin that a number lies in: `40-50` by width 10; `<18`, `18-40`, `65+` by edges. A bin has its lower
 * bound and not its upper one. Bounds below 0 stand apart by dots, `-20..-10`.
 *
 * Bounds are whole multiples of the width, and both the number and the width count as the decimal number that prints
 * them: 0.3 lies in `0.3-0.4` by width 0.1, though 0.3 / 0.1 is less than 3 in binary arithmetic. Cost: a few big integers.
 */
export function binName(value: number, bins: NumberField): string {
  if (bins.edges !== undefined) return edgeBin(value, bins.edges)
  const [x, w] = [decimalOf(value), decimalOf(bins.width)]
  const places = Math.max(x.places, w.places)
  const [X, W] = [scaled(x, places), scaled(w, places)]
  const lower = (X >= 0n ? X / W : (X + 1n) / W - 1n) * W
  return between(decimalText(lower, places), decimalText(lower + W, places))
}

function edgeBin(value: number, edges: readonly number[]): string {
  const above = edges.findIndex(edge => value < edge)
  if (above === 0) return `<${plainDecimal(edges[0])}`
  const lower = plainDecimal(edges.at(above < 0 ? -1 : above - 1) ?? 0)
  return above < 0 ? `${lower}+` : between(lower, plainDecimal(edges[above]))
}

function between(lower: string, upper: string): string {
  return `${lower}${lower.startsWith('-') ? '..' : '-'}${upper}`
}

/** A number as `digits` / 10^`places`. */
interface Decimal {
  readonly digits: bigint
  readonly places: number
}

/** The shortest decimal number that reads back as `value`, which is finite. */
function decimalOf(value: number): Decimal {
  const [mantissa, exponent = '0'] = String(value).split('e')
  const [whole, fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return places >= 0 ? {digits, places} : {digits: digits * 10n ** BigInt(-places), places: 0}
}

function scaled({digits, places}: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places)
}

/** Written out, without an exponent. */
function plainDecimal(value: number): string {
  const {digits, places} = decimalOf(value)
  return decimalText(digits, places)
}

function decimalText(digits: bigint, places: number): string {
  const sign = digits < 0n ? '-' : ''
  const all = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  const whole = all.slice(0, all.length - places)
  const fraction = all.slice(all.length - places).replace(/0+$/, '')
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
