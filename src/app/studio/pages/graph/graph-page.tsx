import {useMemo, useRef, useState} from 'preact/hooks'
import type {GraphView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer} from '../../ui/answer.ts'
import {Empty, NeedsDocuments} from '../../ui/area.tsx'
import {Button, Choices, Field} from '../../ui/controls.tsx'
import {focusSoon, usePageKeys} from '../../ui/keys.ts'
import {StateMark, Working} from '../../ui/marks.tsx'
import {GraphCard} from './graph-card.tsx'
import {GraphOptions} from './graph-options.tsx'
import {foundConcepts, nearConcepts} from './graph-order.ts'
import {GraphPicture} from './graph-picture.tsx'
import {LinkMatrix} from './link-matrix.tsx'
import {LinkTable} from './link-table.tsx'

/** Which concepts have to do with each other: a picture, a table and a matrix of the same facts, and the card of one concept. */
export function GraphPage() {
  const studio = useStudio()
  const {documents, threshold} = studio.state.value
  if (documents === 0) return <NeedsDocuments page="Graph" />
  // Known as soon as there is a model.
  return threshold === undefined ? <NeedsModel /> : <Graph />
}

function NeedsModel() {
  const studio = useStudio()
  const {numbers} = studio.state.value
  const isEmpty = studio.project.value.anchors.every(({any}) => any.length === 0)
  return (
    <>
      <Empty page="Graph" title="No network yet." {...(isEmpty && {way: ['Open Anchors', 'anchors']})}>
        {isEmpty ? 'It needs concepts with an anchor.' : 'It appears once the model is ready. '}
        {isEmpty || numbers.is === 'failed' ? null : <StateMark stage={numbers} />}
      </Empty>
      {numbers.is === 'failed' ? <p class="area say bad">{numbers.message}</p> : null}
    </>
  )
}

function Graph() {
  const studio = useStudio()
  const {revision, numbers} = studio.state.value
  // The session keeps what resampling found.
  const [times, setTimes] = useState(0)
  const version = `${revision} ${numbers.is} ${times}`
  const {answer: graph, fault} = useAnswer('graph', version, () => studio.session.graph())
  const concept = studio.view.value.concept ?? graph?.concepts[0]?.name
  return (
    <>
      <div class="page-head">
        <h1>Graph</h1>
        <p class="lead">
          {`A line joins two concepts that ${graph === undefined || graph.isOfPairs ? 'occur together more often, or less often, than by chance' : 'are related beyond what other concepts explain'}. It does not show a cause.`}
          {numbers.is === 'ready' ? null : ' '}
          {numbers.is === 'ready' ? null : <StateMark stage={numbers.is === 'failed' ? numbers : {is: 'old'}} />}
        </p>
        <div class="do">
          <Resampling isReady={numbers.is === 'ready'} onDone={() => setTimes(times + 1)} />
        </div>
      </div>
      {fault === undefined ? null : <p class="area say bad">{fault.message}</p>}
      {graph === undefined || concept === undefined ? null : (
        <div class={numbers.is === 'ready' ? 'graph columns' : 'graph columns stale'}>
          <div>
            <Views graph={graph} concept={concept} />
            <GraphOptions method={graph.method} concept={concept} />
          </div>
          <GraphCard key={concept} graph={graph} concept={concept} />
        </div>
      )}
    </>
  )
}

const REPLICATES = 100

/** How often each link is found again when documents are drawn anew. */
function Resampling(props: {isReady: boolean; onDone: () => void}) {
  const studio = useStudio()
  const {isReady, onDone} = props
  const [isBusy, setBusy] = useState(false)
  const start = () => {
    setBusy(true)
    studio.session
      .resample(REPLICATES)
      .then(onDone, (error: Error) => studio.say(error))
      .finally(() => setBusy(false))
  }
  return isBusy ? (
    <Working what="resampling" />
  ) : (
    <Button look="primary" disabled={!isReady} onClick={start}>
      Test links with {REPLICATES} resamples
    </Button>
  )
}

type Shown = 'picture' | 'table' | 'matrix'

function Views({graph, concept}: {graph: GraphView; concept: string}) {
  const studio = useStudio()
  const [shown, setShown] = useState<Shown>(() => (matchMedia('(max-width: 47.99rem)').matches ? 'table' : 'picture'))
  const [text, setText] = useState('')
  const [isNear, setNear] = useState(false)
  const find = useRef<HTMLInputElement>(null)
  const current = graph.concepts.findIndex(({name}) => name === concept)
  const found = useMemo(() => foundConcepts(graph, text), [graph, text])
  const near = useMemo(
    () => (isNear && current >= 0 ? nearConcepts(graph, current) : undefined),
    [graph, isNear, current]
  )
  usePageKeys(key => {
    if (key === '/') find.current?.focus()
    return key === '/'
  })
  const goToFirst = ({key}: KeyboardEvent) => {
    const [first] = found
    if (key !== 'Enter' || first === undefined) return
    studio.go({concept: graph.concepts[first].name})
    focusSoon(`.network [data-concept="${first}"]`, '#card-title')
  }
  return (
    <section class="area" aria-label="Links">
      <div class="head">
        <Choices
          legend="Shown as"
          value={shown}
          options={[
            ['picture', 'Picture'],
            ['table', 'Table'],
            ['matrix', 'Matrix']
          ]}
          onPick={setShown}
        />
        <Field
          label="Find a concept"
          isBare
          placeholder="Find a concept"
          value={text}
          inputRef={find}
          onInput={setText}
          onKeyDown={goToFirst}
          fault={found.size === 0 ? 'No concept matches.' : undefined}
        />
        <label class="rowed only">
          <input type="checkbox" checked={isNear} onChange={() => setNear(!isNear)} />
          <span>{`Only neighbours of ${concept}`}</span>
        </label>
      </div>
      {graph.links.length === 0 ? <p class="say know">No links: no two concepts are associated.</p> : null}
      {shown === 'picture' ? (
        <GraphPicture graph={graph} current={current} found={found} isNear={isNear && current >= 0} />
      ) : shown === 'table' ? (
        <LinkTable graph={graph} found={found} near={near} />
      ) : (
        <LinkMatrix graph={graph} found={found} near={near} />
      )}
    </section>
  )
}
