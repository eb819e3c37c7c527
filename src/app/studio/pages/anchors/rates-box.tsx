import {useEffect, useState} from 'preact/hooks'
import type {AnchorRates} from '../../../../read/data/index.ts'
import {useStudio} from '../../store.ts'
import {Button, Field, Select} from '../../ui/controls.tsx'

const KINDS = [
  ['auto', 'auto'],
  ['shares', 'prevalence, precision'],
  ['rates', 'true, false positives']
] as const

interface RatesProps {
  readonly concept: string
  readonly rates: AnchorRates | undefined
}

/** Where the rates of the anchor come from: found from labels and words, or given as two shares. */
export function RatesForm({concept, rates}: RatesProps) {
  const studio = useStudio()
  const [kind, setKind] = useState<RatesKind | 'auto'>(rates?.kind ?? 'auto')
  // Undo changes the rates from outside.
  useEffect(() => setKind(rates?.kind ?? 'auto'), [rates])
  const pick = (picked: RatesKind | 'auto') => {
    setKind(picked)
    if (picked === 'auto' && rates !== undefined) studio.edit({kind: 'setRates', concept, rates: undefined})
  }
  return (
    <div class="rates">
      <Select label="Rates" value={kind} options={KINDS} onPick={pick} />
      {kind === 'auto' ? null : (
        <Given
          key={kind}
          kind={kind}
          rates={rates?.kind === kind ? rates : undefined}
          onGive={given => studio.edit({kind: 'setRates', concept, rates: given})}
        />
      )}
    </div>
  )
}

interface GivenProps {
  readonly kind: RatesKind
  readonly rates: AnchorRates | undefined
  readonly onGive: (rates: AnchorRates) => void
}

function Given({kind, rates, onGive}: GivenProps) {
  const before = rates === undefined ? (['', ''] as const) : typedRates(rates)
  const [typed, setTyped] = useState<readonly [string, string]>(before)
  const [faults, setFaults] = useState<readonly [string | undefined, string | undefined]>([undefined, undefined])
  useEffect(() => {
    if (rates !== undefined) setTyped(typedRates(rates))
  }, [rates])
  const change = (next: readonly [string, string]) => {
    setTyped(next)
    setFaults([undefined, undefined])
  }
  const give = (event: Event) => {
    event.preventDefault()
    const read = readRates(kind, typed)
    if ('faults' in read) setFaults(read.faults)
    else onGive(read.rates)
  }
  const [first, second] = RATE_NAMES[kind]
  const isChanged = typed[0] !== before[0] || typed[1] !== before[1]
  return (
    <form class="given" onSubmit={give}>
      <Field
        label={first}
        inputMode="decimal"
        value={typed[0]}
        fault={faults[0]}
        onInput={value => change([value, typed[1]])}
      />
      <Field
        label={second}
        inputMode="decimal"
        value={typed[1]}
        fault={faults[1]}
        onInput={value => change([typed[0], value])}
      />
      <Button type="submit" disabled={!isChanged}>
        Use these
      </Button>
    </form>
  )
}

export type RatesKind = AnchorRates['kind']

/** The two shares of each way to give rates, as a person reads them. */
export const RATE_NAMES: Readonly<Record<RatesKind, readonly [string, string]>> = {
  shares: ['share of documents that have it, in %', 'share of its anchor’s documents that have it, in %'],
  rates: ['anchor fires where it is present, in %', 'anchor fires where it is absent, in %']
}

/** What is wrong with the first and the second share, or the rates. */
type ReadRates = {readonly rates: AnchorRates} | {readonly faults: readonly [string | undefined, string | undefined]}

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
