import {useEffect, useState} from 'preact/hooks'
import type {AnchorRates} from '../../read/data/index.ts'
import {Button, Field, Select} from './parts.tsx'
import {RATE_NAMES, type RatesKind, readRates, typedRates} from './rates-form.ts'
import type {Studio} from './store.ts'

const KINDS = [
  ['auto', 'auto'],
  ['shares', 'prevalence, precision'],
  ['rates', 'true, false positives']
] as const

interface RatesProps {
  readonly studio: Studio
  readonly concept: string
  readonly rates: AnchorRates | undefined
}

/** Where the rates of the anchor come from: found from labels and words, or given as two shares. */
export function RatesForm({studio, concept, rates}: RatesProps) {
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
