import type {Signal} from '@preact/signals'
import {useState} from 'preact/hooks'
import {counted, grouped, percent} from '../../../../base/text/index.ts'
import type {Anchor} from '../../../../read/data/index.ts'
import type {ConceptView, Stage} from '../../../session/index.ts'
import type {Studio} from '../../store.ts'
import {useStudio} from '../../store.ts'
import {greatestShare} from '../../ui/concept-marks.ts'
import {Button, Field} from '../../ui/controls.tsx'
import {focusSoon} from '../../ui/focus.ts'
import {GoLink} from '../../ui/go-link.tsx'
import {intervalText, StateMark, Whisker} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {NameForm} from './add-concepts.tsx'
import {MemberTable} from './member-table.tsx'
import {ProbeBox} from './probe-box.tsx'
import {RatesForm} from './rates-box.tsx'

interface BenchProps {
  readonly anchor: Anchor
  readonly view: ConceptView | undefined
  readonly isOld: boolean
  readonly draft: Signal<string>
}

/** What stands for the concept: its words, one more word on trial, vetoes and rates. */
export function BenchArea({anchor, view, isOld, draft}: BenchProps) {
  const {concept} = anchor
  return (
    <section class="area" aria-labelledby="bench-title">
      <Title concept={concept} />
      <Prevalence concept={concept} view={view} />
      <Faults concept={concept} />
      <MemberTable concept={concept} members={anchor.any} view={view} isOld={isOld} />
      <ProbeBox concept={concept} draft={draft} />
      <div class="inline-options">
        <VetoBox concept={concept} vetoes={anchor.not} view={view} />
        <RatesForm concept={concept} rates={anchor.rates} />
      </div>
    </section>
  )
}

function Title({concept}: {concept: string}) {
  const studio = useStudio()
  const [isRenaming, setRenaming] = useState(false)
  const done = () => {
    setRenaming(false)
    focusSoon('.rename')
  }
  const rename = (to: string) => {
    if (to !== concept) studio.edit({kind: 'renameConcept', concept, to})
    done()
  }
  if (isRenaming)
    return (
      <>
        <h2 class="unseen" id="bench-title">
          {concept}
        </h2>
        <NameForm
          look="head renaming"
          label={`New name of ${concept}`}
          words="Save"
          before={concept}
          onName={rename}
          onCancel={done}
        />
      </>
    )
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

function Prevalence(props: {concept: string; view: ConceptView | undefined}) {
  const studio = useStudio()
  const state = studio.state.value
  const {numbers} = state
  const rates = state.concepts.find(({name}) => name === props.concept)?.rates
  const anchored = props.view?.anchored
  if (rates === undefined)
    return (
      <p class="measure">
        {anchored === undefined ? null : <span class="figure">{grouped(anchored)}</span>}
        {anchored === undefined ? null : ' documents by its words; '}
        <span class="soft">true share unknown: label 30</span> <StageWords stage={numbers} />
      </p>
    )
  const isOld = numbers.is === 'old' || numbers.is === 'computing'
  const {prevalence: estimate, basis} = rates
  const words = [intervalText(estimate), basis === 'given' ? 'as given' : 'from labels']
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

/** What keeps the concept, or everything, from being computed. */
function Faults({concept}: {concept: string}) {
  const studio = useStudio()
  const {documents, numbers, concepts} = studio.state.value
  const refused = concepts.find(({name}) => name === concept)?.refused
  return (
    <>
      {documents > 0 ? null : (
        <p class="say know">
          <b>No documents yet.</b> You can write anchors now; their effect is shown once documents are read.{' '}
          <GoLink to={{page: 'start'}}>Open documents</GoLink>
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

interface VetoProps {
  readonly concept: string
  readonly vetoes: readonly string[]
  readonly view: ConceptView | undefined
}

/** Features where the anchor does not fire, whatever else occurs. */
function VetoBox({concept, vetoes, view}: VetoProps) {
  const studio = useStudio()
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const add = async (event: Event) => {
    event.preventDefault()
    const feature = typed.trim()
    const found = vetoFault(studio, concept, feature) ?? (await refusal(studio, concept, feature))
    setFault(found)
    if (found !== undefined || feature === '') return
    studio.edit({kind: 'addVeto', concept, feature})
    setTyped('')
  }
  const documents = new Map(view?.vetoes.map(veto => [veto.feature, veto.documents]))
  return (
    <form class="vetoes" onSubmit={add}>
      <Field
        label="Ruled out by"
        placeholder="word, phrase or /expression/"
        value={typed}
        fault={fault}
        onInput={value => {
          setTyped(value)
          setFault(undefined)
        }}
      />
      {vetoes.length === 0 ? null : (
        <ul class="chips" aria-label="Words that rule it out">
          {vetoes.map((feature, at) => (
            <li key={feature}>
              <code>{feature}</code>
              {documents.has(feature) ? (
                <span class="soft small">{counted(documents.get(feature) ?? 0, 'document')}</span>
              ) : null}
              <Button
                look="quiet"
                isLittle
                onClick={() => {
                  studio.edit({kind: 'removeVeto', concept, feature})
                  focusSoon(chipAt(at + 1), chipAt(at), '.vetoes .field')
                }}
              >
                Remove<span class="unseen">{` ${feature}`}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

const chipAt = (place: number) => `.chips li:nth-child(${place}) .button`

function vetoFault(studio: Studio, concept: string, feature: string): string | undefined {
  const anchor = studio.project.value.anchors.find(one => one.concept === concept)
  if (anchor?.any.includes(feature)) return 'It is a word of the anchor: remove it there first.'
  if (anchor?.not.includes(feature)) return 'It is in the list already.'
  return undefined
}

/** What the session says against the feature, such as the fault of an expression. */
async function refusal(studio: Studio, concept: string, feature: string): Promise<string | undefined> {
  if (feature === '' || studio.state.value.documents === 0) return undefined
  return studio.session.probe(concept, feature).then(
    () => undefined,
    (error: Error) => error.message
  )
}
