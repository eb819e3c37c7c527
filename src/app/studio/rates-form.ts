import type {AnchorRates} from '../../read/data/index.ts'

export type RatesKind = AnchorRates['kind']

/** The two shares of each way to give rates, as a person reads them. */
export const RATE_NAMES: Readonly<Record<RatesKind, readonly [string, string]>> = {
  shares: ['share of documents that have it, in %', 'share of its anchor’s documents that have it, in %'],
  rates: ['anchor fires where it is present, in %', 'anchor fires where it is absent, in %']
}

/** What is wrong with the first and the second share, or the rates. */
export type ReadRates =
  | {readonly rates: AnchorRates}
  | {readonly faults: readonly [string | undefined, string | undefined]}

/** Rates from what is typed in percent. They must lie strictly between 0 and 100, and differ, or the anchor would say nothing. */
export function readRates(kind: RatesKind, typed: readonly [string, string]): ReadRates {
  const [first, second] = typed.map(shareOf)
  const faults = [first, second].map(share =>
    share > 0 && share < 1 ? undefined : 'a number above 0 and below 100, such as 3.5'
  )
  if (faults.some(Boolean)) return {faults: [faults[0], faults[1]]}
  if (first === second)
    return {faults: [undefined, `must differ from the other rate: if both are ${typed[0]}, the anchor says nothing`]}
  return {
    rates:
      kind === 'rates'
        ? {kind, truePositive: first, falsePositive: second}
        : {kind, prevalence: first, precision: second}
  }
}

/** Given rates as one types them, in percent. */
export function typedRates(rates: AnchorRates): readonly [string, string] {
  return rates.kind === 'rates'
    ? [inPercent(rates.truePositive), inPercent(rates.falsePositive)]
    : [inPercent(rates.prevalence), inPercent(rates.precision)]
}

/** By moving the decimal point, so that 3.6 becomes 0.036 and not 0.036000000000000004. */
function shareOf(typed: string): number {
  const text = typed.trim().replace(/\s*%$/, '').replace(',', '.')
  return /^\d*\.?\d+$|^\d+\.$/.test(text) ? Number(`${text}e-2`) : Number.NaN
}

function inPercent(share: number): string {
  const text = String(share)
  return String(text.includes('e') ? 100 * share : Number(`${text}e2`))
}
