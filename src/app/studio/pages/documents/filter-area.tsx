import type {Ref} from 'preact'
import {useState} from 'preact/hooks'
import {grouped} from '../../../../base/text/index.ts'
import type {ListQuery} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {isScored} from '../../ui/concept-marks.ts'
import {Button, Field, NumberField, Select} from '../../ui/controls.tsx'
import {exportFile} from '../../ui/save-file.ts'

const LABELS = [
  ['', 'any'],
  ['yes', 'yes'],
  ['no', 'no'],
  ['none', 'none']
] as const

/** What is chosen of the anchor; the last two are documents that Compare has led to. */
const ANCHORS: Readonly<Record<string, readonly [words: string, chosen: ListQuery]>> = {
  any: ['any', {}],
  fires: ['fires', {anchor: 'fires'}],
  silent: ['does not fire', {anchor: 'silent'}],
  entered: ['any; reported only by B of Compare', {crossed: 'entered'}],
  left: ['any; reported only by A of Compare', {crossed: 'left'}]
}

/** Which documents are listed. */
export function FilterArea({total, first}: {total: number | undefined; first: Ref<HTMLInputElement>}) {
  const studio = useStudio()
  const {query} = studio.view.value
  const {concept, low, high, has = '', lacks = '', label = '', anchor = 'any', crossed} = query
  const names = studio.project.value.anchors.map(each => each.concept)
  const share = isScored(studio.state.value, concept) ? 'Score' : 'Probability'
  const isDisabled = concept === undefined
  const change = (made: Change) => studio.go({query: withChange(query, made), document: undefined})
  return (
    <form class="filter" aria-label="Filter" onSubmit={event => event.preventDefault()}>
      <Select
        label="Concept"
        value={concept ?? ''}
        options={[['', 'any, in file order'], ...names.map(name => [name, name] as const)]}
        onPick={picked => {
          studio.go({concept: picked === '' ? studio.view.value.concept : picked})
          change({concept: picked})
        }}
      />
      <NumberField label={`${share} from`} max={1} value={low} isDisabled={isDisabled} onPick={low => change({low})} />
      <NumberField label={`${share} to`} max={1} value={high} isDisabled={isDisabled} onPick={high => change({high})} />
      <Typed label="Has" value={has} input={first} onInput={has => change({has})} />
      <Typed label="Lacks" value={lacks} onInput={lacks => change({lacks})} />
      <Select
        label="Anchor"
        value={crossed ?? anchor}
        isDisabled={isDisabled}
        options={Object.entries(ANCHORS).flatMap(([name, [words, chosen]]) =>
          chosen.crossed !== undefined && crossed === undefined ? [] : [[name, words] as const]
        )}
        onPick={name => change({anchor: undefined, crossed: undefined, ...ANCHORS[name][1]})}
      />
      <Select
        label="Label"
        value={label}
        isDisabled={isDisabled}
        options={LABELS}
        onPick={label => change({label: label === '' ? undefined : label})}
      />
      <div class="result">
        <span aria-live="polite">
          <b>{total === undefined ? '…' : grouped(total)}</b> {`of ${grouped(studio.state.value.documents)}`}
        </span>{' '}
        <Button look="primary" disabled={!total} onClick={() => exportFile(studio, 'documents.csv', query)}>
          Export these
        </Button>
      </div>
    </form>
  )
}

function Typed(props: {label: string; value: string; input?: Ref<HTMLInputElement>; onInput: (text: string) => void}) {
  const {label, value, input = null, onInput} = props
  const [text, setText] = useState(value)
  const type = (typed: string) => {
    setText(typed)
    onInput(typed.trim())
  }
  // A blank at the end begins the next word and is not part of the value.
  const shown = text.trim() === value ? text : value
  return <Field label={label} placeholder="a word" value={shown} inputRef={input} onInput={type} />
}

type Change = {readonly [K in keyof ListQuery]: ListQuery[K] | undefined}

const OF_A_CONCEPT = ['low', 'high', 'anchor', 'label', 'crossed']

/** A query with one thing changed; what is undefined or empty is left out, and without a concept all that depends on one. */
export function withChange(query: ListQuery, change: Change): ListQuery {
  const changed = {...query, ...change}
  return Object.fromEntries(
    Object.entries(changed).filter(
      ([name, value]) => value !== undefined && value !== '' && (changed.concept || !OF_A_CONCEPT.includes(name))
    )
  )
}
