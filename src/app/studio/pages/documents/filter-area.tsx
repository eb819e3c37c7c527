import type {Ref} from 'preact'
import {useEffect, useId, useRef, useState} from 'preact/hooks'
import {grouped, percent} from '../../../../base/text/index.ts'
import type {ListQuery} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {isScored} from '../../ui/concept-marks.ts'
import {Button, Field, Select} from '../../ui/controls.tsx'

/** Typing rests for this many milliseconds before the list follows. */
const PAUSE = 250

type Change = Parameters<typeof withChange>[1]

/** Which documents are listed. On narrow screens it stands behind a button. */
export function FilterArea(props: {
  readonly total: number | undefined
  readonly first: Ref<HTMLInputElement>
  readonly onExport: () => void
}) {
  const studio = useStudio()
  const {total, first, onExport} = props
  const {query} = studio.view.value
  const change = (made: Change) => {
    const next = withChange(studio.view.value.query, made)
    if (JSON.stringify(next) !== JSON.stringify(studio.view.value.query)) studio.go({query: next, document: undefined})
  }
  return (
    <>
      <button type="button" class="button fold-button filter-button" popovertarget="filter">
        <span>{`Filter: ${queryWords(query)}`}</span> <span aria-hidden="true">▾</span>
      </button>
      <form
        class="filter fold"
        id="filter"
        popover="auto"
        aria-label="Filter"
        onSubmit={event => event.preventDefault()}
      >
        <ConceptSelect query={query} onChange={change} />
        <Shares query={query} onChange={change} isScore={isScored(studio.state.value, query.concept)} />
        <Typed label="Has" input={first} value={query.has ?? ''} onCommit={has => change({has})} />
        <Typed label="Lacks" value={query.lacks ?? ''} onCommit={lacks => change({lacks})} />
        <AnchorSelect query={query} onChange={change} />
        <Select
          label="Label"
          value={query.label ?? 'any'}
          isDisabled={query.concept === undefined}
          options={[
            ['any', 'any'],
            ['yes', 'yes'],
            ['no', 'no'],
            ['none', 'none']
          ]}
          onPick={label => change({label: label === 'any' ? undefined : label})}
        />
        <div class="result">
          <span aria-live="polite">
            <b>{total === undefined ? '…' : grouped(total)}</b> {`of ${grouped(studio.state.value.documents)}`}
          </span>{' '}
          <Button look="primary" disabled={total === undefined || total === 0} onClick={onExport}>
            Export these
          </Button>
        </div>
      </form>
    </>
  )
}

interface PartProps {
  readonly query: ListQuery
  readonly onChange: (change: Change) => void
}

function ConceptSelect({query, onChange}: PartProps) {
  const studio = useStudio()
  const names = studio.project.value.anchors.map(({concept}) => concept)
  const known = query.concept === undefined || names.includes(query.concept) ? names : [query.concept, ...names]
  // Values are numbers: a concept may have any name.
  const value = query.concept === undefined ? '' : String(known.indexOf(query.concept))
  const pick = (picked: string) => {
    const concept = picked === '' ? undefined : known[Number(picked)]
    if (concept !== undefined) studio.go({concept})
    onChange({concept})
  }
  const options = known.map((name, at) => [String(at), name] as const)
  return <Select label="Concept" value={value} options={[['', 'any, in file order'], ...options]} onPick={pick} />
}

/** Of documents that Compare has led to. */
const CROSSED = [
  ['entered', 'any; reported only by B of Compare'],
  ['left', 'any; reported only by A of Compare']
] as const

function AnchorSelect({query, onChange}: PartProps) {
  return (
    <Select
      label="Anchor"
      value={query.crossed ?? query.anchor ?? 'any'}
      isDisabled={query.concept === undefined}
      options={[
        ['any', 'any'],
        ['fires', 'fires'],
        ['silent', 'does not fire'],
        ...(query.crossed === undefined ? [] : CROSSED)
      ]}
      onPick={picked =>
        onChange({
          crossed: picked === 'entered' || picked === 'left' ? picked : undefined,
          anchor: picked === 'fires' || picked === 'silent' ? picked : undefined
        })
      }
    />
  )
}

const ENDS = [
  ['low', 'from', '0'],
  ['high', 'to', '1']
] as const

function Shares({query, onChange, isScore}: PartProps & {isScore: boolean}) {
  const what = isScore ? 'Score' : 'Probability'
  const id = useId()
  const shares = {
    low: useShare(query.low, low => onChange({low})),
    high: useShare(query.high, high => onChange({high}))
  }
  const isReversed = query.low !== undefined && query.high !== undefined && query.low > query.high
  const fault =
    shares.low.isBad || shares.high.isBad
      ? 'a number from 0 to 1'
      : isReversed
        ? '“from” is greater than “to”'
        : undefined
  return (
    <div class="labelled">
      <span id={id}>{fault === undefined ? `${what}, from and to` : <b id={`${id}-fault`}>{fault}</b>}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no grid item in all browsers */}
      <div class="range" role="group" aria-labelledby={id}>
        {ENDS.map(([end, word, placeholder]) => (
          <input
            key={end}
            class="field"
            inputMode="decimal"
            autocomplete="off"
            disabled={query.concept === undefined}
            aria-label={`${what} ${word}`}
            placeholder={placeholder}
            value={shares[end].text}
            aria-invalid={shares[end].isBad || isReversed || undefined}
            aria-describedby={fault === undefined ? undefined : `${id}-fault`}
            onInput={event => shares[end].type(event.currentTarget.value)}
          />
        ))}
      </div>
    </div>
  )
}

function useShare(value: number | undefined, commit: (share: number | undefined) => void) {
  const [text, type] = useDraft(value === undefined ? '' : String(value), typed => {
    const share = shareOf(typed)
    if (share !== 'bad') commit(share)
  })
  return {text, type, isBad: shareOf(text) === 'bad'}
}

function Typed(props: {label: string; value: string; input?: Ref<HTMLInputElement>; onCommit: (text: string) => void}) {
  const {label, value, input = null, onCommit} = props
  const [text, setText] = useDraft(value, typed => onCommit(typed.trim()))
  return <Field label={label} placeholder="a word" value={text} inputRef={input} onInput={setText} />
}

/** What is typed, committed when typing rests; a value that changes elsewhere replaces it. */
function useDraft(value: string, commit: (text: string) => void) {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const sent = useRef(value)
  useEffect(() => {
    if (value !== sent.current && value !== text.trim()) setText(value)
    sent.current = value
    // Only a value from elsewhere replaces what is typed.
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (typed: string) => {
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => commit(typed), PAUSE)
  }
  return [text, type] as const
}

/** "0.44", "44%" or ".44" as a share; `undefined` for nothing, `'bad'` for what is not a share. */
export function shareOf(text: string): number | undefined | 'bad' {
  const typed = text.trim()
  if (typed === '') return undefined
  const match = /^(\d*[.,]?\d+|\d+[.,])\s*(%?)$/.exec(typed)
  const share = match === null ? Number.NaN : Number(match[1].replace(',', '.')) / (match[2] === '%' ? 100 : 1)
  return share >= 0 && share <= 1 ? share : 'bad'
}

/** A query with one thing changed; what is undefined or empty is left out, and without a concept all that depends on one. */
export function withChange(query: ListQuery, change: {[K in keyof ListQuery]: ListQuery[K] | undefined}): ListQuery {
  const changed = {...query, ...change}
  const ofConcept = ['low', 'high', 'anchor', 'label', 'crossed']
  const isKept = ([name, value]: [string, unknown]) =>
    value !== undefined && value !== '' && (changed.concept !== undefined || !ofConcept.includes(name))
  return Object.fromEntries(Object.entries(changed).filter(isKept))
}

/** "alcohol, 44% or more, anchor does not fire". */
export function queryWords({concept, low, high, has, lacks, anchor, label, crossed}: ListQuery): string {
  const words = [
    concept,
    rangeWords(low, high),
    has === undefined ? undefined : `has ${has}`,
    lacks === undefined ? undefined : `lacks ${lacks}`,
    crossed === undefined ? undefined : `reported only by ${crossed === 'entered' ? 'B' : 'A'} of Compare`,
    anchor === undefined ? undefined : anchor === 'fires' ? 'anchor fires' : 'anchor does not fire',
    label === undefined ? undefined : label === 'none' ? 'not labelled' : `labelled ${label}`
  ].filter(part => part !== undefined)
  return words.length === 0 ? 'all documents' : words.join(', ')
}

function rangeWords(low: number | undefined, high: number | undefined): string | undefined {
  const [from, to] = [low === 0 ? undefined : low, high === 1 ? undefined : high]
  if (from === undefined) return to === undefined ? undefined : `${percent(to)} or less`
  return to === undefined ? `${percent(from)} or more` : `${percent(from)} to ${percent(to)}`
}
