import {useMemo, useRef, useState} from 'preact/hooks'
import {networkLead} from '../../../present/index.ts'
import type {GraphView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer} from '../../ui/answer.ts'
import {Area, NeedsDocuments, NeedsModel, PageHead, Say} from '../../ui/area.tsx'
import {Button, Choices, Field} from '../../ui/controls.tsx'
import {focusSoon, usePageKeys} from '../../ui/keys.ts'
import {StateMark, Working} from '../../ui/marks.tsx'
import {useWork} from '../../ui/work.ts'
import {GraphCard} from './graph-card.tsx'
import {GraphOptions} from './graph-options.tsx'
import {foundConcepts, nearConcepts} from './graph-order.ts'
import {GraphPicture} from './graph-picture.tsx'
import {LinkMatrix} from './link-matrix.tsx'
import {LinkTable} from './link-table.tsx'

/** Which concepts have to do with each other: a picture, a table and a matrix of the same facts, and the card of one concept. */
export function GraphPage() {
  const {documents, threshold} = useStudio().state.value
  if (documents === 0) return <NeedsDocuments page="Graph" />
  // Known as soon as there is a model.
  return threshold === undefined ? <NeedsModel page="Graph" /> : <Graph />
}

const REPLICATES = 100

function Graph() {
  const studio = useStudio()
  const {revision, numbers} = studio.state.value
  const resampling = useWork<GraphView>('resampling')
  const isReady = numbers.is === 'ready'
  // The session keeps what resampling found.
  const version = `${revision} ${numbers.is} ${resampling.answer.value?.number}`
  const {answer: graph, fault} = useAnswer('graph', version, () => studio.session.graph())
  const concept = studio.view.value.concept ?? graph?.concepts[0]?.name
  return (
    <>
      <PageHead
        title="Graph"
        lead={
          <>
            {networkLead(graph?.isOfPairs ?? true)}{' '}
            {isReady ? null : <StateMark stage={numbers.is === 'failed' ? numbers : {is: 'old'}} />}
          </>
        }
      >
        {resampling.isBusy.value ? (
          <Working what="resampling" />
        ) : (
          <Button
            look="primary"
            disabled={!isReady}
            onClick={() => resampling.start(() => studio.session.resample(REPLICATES))}
          >
            Test links with {REPLICATES} resamples
          </Button>
        )}
      </PageHead>
      {[fault?.message, resampling.fault.value].map((message, at) =>
        message === undefined ? null : (
          <Area key={at}>
            <Say is="bad">{message}</Say>
          </Area>
        )
      )}
      {graph === undefined || concept === undefined ? null : (
        <div class={isReady ? 'graph columns' : 'graph columns stale'}>
          <div>
            <Views graph={graph} concept={concept} />
            <GraphOptions graph={graph} concept={concept} />
          </div>
          <GraphCard key={concept} graph={graph} concept={concept} />
        </div>
      )}
    </>
  )
}

const VIEWS = [
  ['picture', 'Picture'],
  ['table', 'Table'],
  ['matrix', 'Matrix']
] as const

function Views({graph, concept}: {graph: GraphView; concept: string}) {
  const studio = useStudio()
  const isNarrow = matchMedia('(max-width: 47.99rem)').matches
  const [shown, setShown] = useState<(typeof VIEWS)[number][0]>(isNarrow ? 'table' : 'picture')
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
    <Area label="Links">
      <div class="head">
        <Choices legend="Shown as" value={shown} options={VIEWS} onPick={setShown} />
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
      <Say is="know">{graph.links.length === 0 ? 'No links: no two concepts are associated.' : ''}</Say>
      {shown === 'picture' ? (
        <GraphPicture graph={graph} current={current} found={found} isNear={near !== undefined} />
      ) : shown === 'table' ? (
        <LinkTable graph={graph} found={found} near={near} />
      ) : (
        <LinkMatrix graph={graph} found={found} near={near} />
      )}
    </Area>
  )
}
