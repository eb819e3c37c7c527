import {useState} from 'preact/hooks'
import type {AnchorRates} from '../../../../read/data/index.ts'
import {useStudio} from '../../store.ts'
import {Say} from '../../ui/area.tsx'
import {Button, Field, Select} from '../../ui/controls.tsx'

type RatesKind = AnchorRates['kind']

const KINDS = [
  ['auto', 'auto'],
  ['shares', 'prevalence, precision'],
  ['rates', 'true, false positives']
] as const

/** The two shares of each way to give rates, as a person reads them. */
const NAMES: Readonly<Record<RatesKind, readonly [string, string]>> = {
  shares: ['share of documents that have it, in %', 'share of its anchor’s documents that have it, in %'],
  rates: ['anchor fires where it is present, in %', 'anchor fires where it is absent, in %']
}

/** Where the rates of the anchor come from: found from labels and words, or given as two shares. */
export function RatesForm({concept, rates}: {concept: string; rates: AnchorRates | undefined}) {
  const studio = useStudio()
  const [kind, setKind] = useState<RatesKind | 'auto'>(rates?.kind ?? 'auto')
  const [typed, setTyped] = useState(rates === undefined ? (['', ''] as const) : typedRates(rates))
  const [fault, setFault] = useState<string>()
  const change = (next: readonly [string, string]) => {
    setTyped(next)
    setFault(undefined)
  }
  const give = (event: Event) => {
    event.preventDefault()
    const read = kind === 'auto' ? undefined : readRates(kind, typed)
    if (typeof read === 'string') setFault(read)
    else studio.edit({kind: 'setRates', concept, rates: read})
  }
  const [first, second] = typed
  return (
    <form class="rates" onSubmit={give}>
      <Select label="Rates" value={kind} options={KINDS} onPick={setKind} />
      {kind === 'auto' ? null : (
        <div class="given">
          <Field label={NAMES[kind][0]} inputMode="decimal" value={first} onInput={value => change([value, second])} />
          <Field label={NAMES[kind][1]} inputMode="decimal" value={second} onInput={value => change([first, value])} />
        </div>
      )}
      <Button type="submit">Use these</Button>
      <Say is="bad" role="alert">
        {fault}
      </Say>
    </form>
  )
}

/** Rates from what is typed in percent, or what is wrong. They must lie strictly between 0 and 100, and differ, or the anchor would say nothing. */
export function readRates(kind: RatesKind, typed: readonly [string, string]): AnchorRates | string {
  const [first, second] = typed.map(shareOf)
  for (const [at, share] of [first, second].entries())
    if (!(share > 0 && share < 1)) return `${NAMES[kind][at]}: a number above 0 and below 100, such as 3.5`
  if (first === second) return `The two must differ: if both are ${typed[0]}, the anchor says nothing.`
  return kind === 'rates'
    ? {kind, truePositive: first, falsePositive: second}
    : {kind, prevalence: first, precision: second}
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
