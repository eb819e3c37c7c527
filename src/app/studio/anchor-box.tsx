import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks'
import {counted, grouped} from '../../base/text/index.ts'
import type {Probe} from '../desk/index.ts'
import {Latest} from './latest.ts'
import {Button, Field, Select} from './parts.tsx'
import type {Studio} from './store.ts'

/** Typing rests for this many milliseconds before the desk is asked. */
const PAUSE = 120

/** A word or phrase on its way to an anchor: what it would bring stands there before it is accepted. */
export function AnchorBox(props: {
  readonly studio: Studio
  readonly feature: string
  readonly concept: string | undefined
  readonly onClose: () => void
}) {
  const {studio, onClose} = props
  const names = studio.project.value.anchors.map(({concept}) => concept)
  const input = useRef<HTMLInputElement>(null)
  const [feature, setFeature] = useState(props.feature)
  const [at, setAt] = useState(Math.max(0, names.indexOf(props.concept ?? '')))
  const probe = useMemo(() => new Latest<Probe>(), [])
  const concept: string | undefined = names[at]
  const typed = feature.trim()
  useEffect(() => {
    if (typed === '' || concept === undefined) return probe.clear()
    const timer = setTimeout(() => probe.want(() => studio.desk.probe(concept, typed)), PAUSE)
    return () => clearTimeout(timer)
  }, [typed, concept, studio, probe])
  // Opened by the button, it is there to be typed in; opened by a selection, the selection stays.
  useLayoutEffect(() => {
    if (props.feature === '') input.current?.focus()
  }, [props.feature])
  const answer = probe.value.value
  const isAnswered = answer !== undefined && answer.feature === typed
  const canAdd = isAnswered && answer.takenBy === undefined && answer.documents > 0 && concept !== undefined
  const add = () => {
    if (!canAdd) return
    studio.edit({kind: 'addMember', concept, feature: typed})
    onClose()
  }
  const move = (from: string) => {
    if (concept === undefined) return
    studio.edit({kind: 'moveMember', feature: typed, from, to: concept})
    onClose()
  }
  if (names.length === 0) return <p class="say">Name a concept on Anchors first: an anchor stands for one.</p>
  return (
    <section class="anchor-box" aria-label="Use as an anchor">
      <Field
        label="Use as an anchor"
        placeholder="a word, a phrase or an /expression/"
        value={feature}
        inputRef={input}
        fault={probe.fault.value}
        onInput={setFeature}
        onKeyDown={event => {
          if (event.key === 'Enter') add()
          else if (event.key === 'Escape') onClose()
        }}
      />
      <Select
        label="of"
        value={String(at)}
        options={names.map((name, place) => [String(place), name] as const)}
        onPick={place => setAt(Number(place))}
      />
      <div class="rowed">
        <Button disabled={!canAdd} onClick={add}>
          Add
        </Button>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <div class="found" aria-live="polite">
        {isAnswered && probe.fault.value === undefined ? (
          <Found probe={answer} concept={concept} onMove={move} />
        ) : null}
      </div>
    </section>
  )
}

function Found({probe, concept, onMove}: {probe: Probe; concept: string; onMove: (from: string) => void}) {
  const {feature, documents, fresh, overlaps, takenBy, didYouMean} = probe
  if (takenBy === concept) return <p class="say">{`${feature} is an anchor of ${concept} already.`}</p>
  if (takenBy !== undefined)
    return (
      <div class="rowed">
        <p class="say bad">{`${feature} is an anchor of ${takenBy}. An anchor belongs to one concept alone.`}</p>
        <Button onClick={() => onMove(takenBy)}>{`Move it to ${concept}`}</Button>
      </div>
    )
  if (documents === 0)
    return <p class="say">{`Occurs nowhere.${didYouMean === undefined ? '' : ` Did you mean ${didYouMean}?`}`}</p>
  const shared = overlaps.slice(0, 3).map(other => `${other.concept} ${grouped(other.documents)}`)
  return (
    <p>
      <b>{counted(documents, 'document')}</b>, <b>{grouped(fresh)}</b> {`new for ${concept}`}
      {shared.length === 0 ? '.' : <span class="soft">{`; also with ${shared.join(', ')}`}</span>}
    </p>
  )
}
