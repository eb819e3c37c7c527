import type {Signal} from '@preact/signals'
import {useState} from 'preact/hooks'
import {grouped, percent} from '../../base/text/index.ts'
import type {Anchor} from '../../read/data/index.ts'
import type {ConceptView, Stage} from '../desk/index.ts'
import {greatestShare} from './concept-marks.ts'
import {nameFault} from './concept-names.ts'
import {focusSoon, useFirstFocus} from './focus.ts'
import {GoLink} from './go-link.tsx'
import {MemberTable} from './member-table.tsx'
import {Button, Field, intervalText, StateMark, Whisker} from './parts.tsx'
import {ProbeBox} from './probe-box.tsx'
import {RatesForm} from './rates-box.tsx'
import {sentence} from './sentence.ts'
import type {Studio} from './store.ts'
import {VetoBox} from './veto-box.tsx'

interface BenchProps {
  readonly studio: Studio
  readonly anchor: Anchor
  readonly view: ConceptView | undefined
  readonly isOld: boolean
  readonly draft: Signal<string>
}

/** What stands for the concept: its words, one more word on trial, vetoes and rates. */
export function BenchArea({studio, anchor, view, isOld, draft}: BenchProps) {
  const {concept} = anchor
  return (
    <section class="area" aria-labelledby="bench-title">
      <Title studio={studio} concept={concept} />
      <Prevalence studio={studio} concept={concept} view={view} />
      <Faults studio={studio} concept={concept} />
      <MemberTable studio={studio} concept={concept} members={anchor.any} view={view} isOld={isOld} />
      <ProbeBox studio={studio} concept={concept} draft={draft} />
      <div class="inline-options">
        <VetoBox studio={studio} concept={concept} vetoes={anchor.not} view={view} />
        <RatesForm studio={studio} concept={concept} rates={anchor.rates} />
      </div>
    </section>
  )
}

function Title({studio, concept}: {studio: Studio; concept: string}) {
  const [isRenaming, setRenaming] = useState(false)
  const done = () => {
    setRenaming(false)
    focusSoon('.rename')
  }
  if (isRenaming) return <Rename studio={studio} concept={concept} onDone={done} />
  const remove = () => {
    const names = studio.project.value.anchors.map(anchor => anchor.concept)
    const at = names.indexOf(concept)
    studio.edit({kind: 'removeConcept', concept})
    studio.go({concept: names[at + 1] ?? names[at - 1]})
    focusSoon('.concepts [aria-current]', '.fold-button', '.name-concept')
  }
  return (
    <div class="head">
      <h2 class="concept-name" id="bench-title">
        {concept}
      </h2>
      <div class="rowed">
        <Button look="quiet" isLittle also="rename" onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <Button look="quiet" isLittle onClick={remove}>
          Delete
        </Button>
      </div>
    </div>
  )
}

function Rename({studio, concept, onDone}: {studio: Studio; concept: string; onDone: () => void}) {
  const [name, setName] = useState(concept)
  const field = useFirstFocus<HTMLInputElement>()
  const to = name.trim()
  const fault = to === concept ? undefined : nameFault(to, studio.project.value.anchors)
  const save = (event: Event) => {
    event.preventDefault()
    if (fault !== undefined) return
    if (to !== concept) studio.edit({kind: 'renameConcept', concept, to})
    onDone()
  }
  return (
    <form class="head renaming" onSubmit={save}>
      <h2 class="unseen" id="bench-title">
        {concept}
      </h2>
      <Field
        label={`New name of ${concept}`}
        isBare
        value={name}
        fault={fault}
        inputRef={field}
        onInput={setName}
        onKeyDown={event => {
          if (event.key === 'Escape') onDone()
        }}
      />
      <div class="rowed">
        <Button type="submit" isLittle>
          Save <kbd>Enter</kbd>
        </Button>
        <Button look="quiet" isLittle onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function Prevalence(props: {studio: Studio; concept: string; view: ConceptView | undefined}) {
  const state = props.studio.state.value
  const {numbers} = state
  const estimate = props.view?.prevalence ?? state.concepts.find(({name}) => name === props.concept)?.prevalence
  const anchored = props.view?.anchored
  if (estimate === undefined)
    return (
      <p class="measure">
        {anchored === undefined ? null : <span class="figure">{grouped(anchored)}</span>}
        {anchored === undefined ? null : ' documents by its words; '}
        <span class="soft">true share unknown: label 30</span> <StageWords stage={numbers} />
      </p>
    )
  const isOld = numbers.is === 'old' || numbers.is === 'computing'
  const words = [intervalText(estimate), sourceWords(estimate.source)]
  return (
    <p class={isOld ? 'measure stale' : 'measure'}>
      <span class="figure">{percent(estimate.value)}</span> of documents
      <Whisker estimate={estimate} max={greatestShare(state)} width={120} />
      <span class="soft">{words.filter(Boolean).join(', ')}</span>
      <StageWords stage={numbers} isOld={isOld} />
    </p>
  )
}

function StageWords({stage, isOld = false}: {stage: Stage; isOld?: boolean}) {
  if (stage.is === 'ready' || stage.is === 'failed' || stage.is === 'none') return null
  if (stage.is === 'provisional')
    return <span class="state provisional">provisional until all documents are scored</span>
  if (stage.is === 'old' || (stage.is === 'computing' && isOld))
    return <span class="state old">from before the last edit</span>
  return <StateMark stage={stage} what="Numbers" />
}

/** "from labels", "as given", "not measured". */
function sourceWords(source: string): string {
  return source === 'given' ? 'as given' : source === 'a guess' ? 'not measured' : `from ${source}`
}

/** What keeps the concept, or everything, from being computed. */
function Faults({studio, concept}: {studio: Studio; concept: string}) {
  const {documents, numbers, concepts} = studio.state.value
  const refused = concepts.find(({name}) => name === concept)?.refused
  return (
    <>
      {documents > 0 ? null : (
        <p class="say know">
          <b>No documents yet.</b> You can write anchors now; their effect is shown once documents are read.{' '}
          <GoLink studio={studio} to={{page: 'start'}}>
            Open documents
          </GoLink>
        </p>
      )}
      {refused === undefined ? null : (
        <p class="say bad">
          <b>Left out of the model.</b> {sentence(refused)}
        </p>
      )}
      {numbers.is === 'failed' ? (
        <p class="say bad">
          <b>The model was not computed.</b> {sentence(numbers.message)}
        </p>
      ) : null}
    </>
  )
}
