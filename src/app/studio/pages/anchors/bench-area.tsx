import {useState} from 'preact/hooks'
import {grouped, percent} from '../../../../base/text/index.ts'
import {worthText} from '../../../present/index.ts'
import {useStudio} from '../../store.ts'
import {Area, Say} from '../../ui/area.tsx'
import {conceptOf, greatestShare} from '../../ui/concept-marks.ts'
import {Button, TextForm} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {focusSoon} from '../../ui/keys.ts'
import {rangeText, StateMark, Whisker} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {useAnchor} from './anchor-context.ts'
import {MemberTable} from './member-table.tsx'
import {ProbeBox} from './probe-box.tsx'
import {RatesForm} from './rates-form.tsx'

/** What stands for the concept: its words, one more word on trial, what rules it out, and its rates. */
export function BenchArea() {
  const {anchor, concept, draft} = useAnchor()
  return (
    <Area title={concept} id="bench-title" aside={<NameActions />}>
      <Prevalence />
      <Faults />
      <MemberTable />
      <ProbeBox concept={concept} draft={draft} />
      <details class="advanced">
        <summary>Advanced: words that rule it out, rates</summary>
        <VetoForm />
        <RatesForm key={JSON.stringify(anchor.rates)} concept={concept} rates={anchor.rates} />
      </details>
    </Area>
  )
}

function NameActions() {
  const studio = useStudio()
  const {concept} = useAnchor()
  const [isRenaming, setRenaming] = useState(false)
  const names = studio.project.value.anchors.map(anchor => anchor.concept)
  const done = () => {
    setRenaming(false)
    focusSoon('.rename')
  }
  if (isRenaming)
    return (
      <TextForm
        class="rowed"
        label={`New name of ${concept}`}
        isBare
        words="Save"
        value={concept}
        isOpened
        faultOf={to => (to === concept ? undefined : studio.refusalOf({kind: 'renameConcept', concept, to})?.message)}
        onText={to => {
          if (to !== concept) studio.edit({kind: 'renameConcept', concept, to})
          done()
        }}
        onCancel={done}
      />
    )
  const remove = () => {
    const at = names.indexOf(concept)
    studio.edit({kind: 'removeConcept', concept})
    studio.go({concept: names[at + 1] ?? names[at - 1]})
    focusSoon('.concepts [aria-current]', '.fold-button', '.name-concept')
  }
  return (
    <div class="rowed">
      <Button look="quiet" isLittle also="rename" onClick={() => setRenaming(true)}>
        Rename
      </Button>
      <Button look="quiet" isLittle onClick={remove}>
        Delete
      </Button>
    </div>
  )
}

/** How common the concept is, and what its anchor is worth, where somebody measured it. */
function Prevalence() {
  const {concept, view} = useAnchor()
  const state = useStudio().state.value
  const {numbers, documents} = state
  const rates = conceptOf(state, concept)?.rates
  const isOld = numbers.is === 'old' || numbers.is === 'computing'
  const age = isOld ? <span class="state old">from before the last edit</span> : null
  if (rates === undefined)
    return (
      <p class="measure">
        {view?.anchored === undefined ? null : <span class="figure">{grouped(view.anchored)}</span>}
        {view?.anchored === undefined ? null : 'documents by its words; '}
        <span class="soft">true share unknown: label 30</span> {age}
      </p>
    )
  const {prevalence, basis} = rates
  const words = [rangeText(prevalence), basis === 'given' ? 'as given' : 'from labels']
  return (
    <>
      <p class={isOld ? 'measure stale' : 'measure'}>
        <span class="figure">{percent(prevalence.value)}</span> of documents
        <Whisker estimate={prevalence} max={greatestShare(state)} width={120} />
        <span class="soft">{words.filter(Boolean).join(', ')}</span>
        {numbers.is === 'provisional' ? <StateMark stage={numbers} /> : age}
      </p>
      <p class="soft">{worthText(concept, rates, (view?.anchored ?? 0) / documents)}</p>
    </>
  )
}

/** What keeps the concept, or everything, from being computed. */
function Faults() {
  const {concept} = useAnchor()
  const state = useStudio().state.value
  const refused = conceptOf(state, concept)?.refused
  return (
    <>
      {state.documents > 0 ? null : (
        <Say is="know">
          <b>No documents yet.</b> You can write anchors now; their effect is shown once documents are read.{' '}
          <GoLink to={{page: 'start'}}>Open documents</GoLink>
        </Say>
      )}
      <Say is="bad">{refused && `Left out of the model. ${sentence(refused)}`}</Say>
      <Say is="bad">
        {state.numbers.is === 'failed' ? `The model was not computed. ${sentence(state.numbers.message)}` : undefined}
      </Say>
    </>
  )
}

/** One more feature where the anchor does not fire, whatever else occurs. */
function VetoForm() {
  const studio = useStudio()
  const {concept} = useAnchor()
  return (
    <TextForm
      class="veto"
      label="Ruled out by"
      placeholder="word, phrase or /expression/"
      words="Add"
      faultOf={feature => studio.refusalOf({kind: 'addVeto', concept, feature})?.message}
      onText={async feature => {
        // The session knows what is wrong with an expression.
        if (studio.state.value.documents > 0) await studio.session.probe(concept, feature)
        studio.edit({kind: 'addVeto', concept, feature})
      }}
    />
  )
}
