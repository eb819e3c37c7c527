import {useSignal} from '@preact/signals'
import {percent} from '../../../../base/text/index.ts'
import type {Anchor} from '../../../../read/data/index.ts'
import {Table, worthText} from '../../../present/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer, versionOf} from '../../ui/answer.ts'
import {Area} from '../../ui/area.tsx'
import {conceptOf} from '../../ui/concept-marks.ts'
import {intervalText, Whisker} from '../../ui/marks.tsx'
import {ManyConcepts, NameConcept} from './add-concepts.tsx'
import {AnchorContext, useAnchor} from './anchor-context.ts'
import {BenchArea} from './bench-area.tsx'
import {ConceptList} from './concept-list.tsx'
import {DoctorArea} from './doctor-area.tsx'
import {EvidenceArea} from './evidence-area.tsx'
import {SuggestArea} from './suggest-area.tsx'

/** Which concept, what stands for it, and what that brings: three columns in the order of thought. */
export function AnchorsPage() {
  const studio = useStudio()
  const {anchors} = studio.project.value
  const wanted = studio.view.value.concept
  const anchor = anchors.find(({concept}) => concept === wanted) ?? anchors[0]
  if (anchor === undefined) return <NoConcepts />
  return (
    <div class="anchors columns">
      <ConceptList current={anchor.concept} />
      <Concept key={anchor.concept} anchor={anchor} />
    </div>
  )
}

function NoConcepts() {
  return (
    <Area also="stack">
      <h1>Anchors</h1>
      <p>
        <b>No concepts yet.</b> Name one and give it a word that hardly occurs without it, or take concepts from the
        tags of the documents.
      </p>
      <div class="rowed">
        <NameConcept isFirst />
        <ManyConcepts />
      </div>
    </Area>
  )
}

/** What stands for the concept, and what that brings. Apart from the list, which the answers of the session do not change. */
function Concept({anchor}: {anchor: Anchor}) {
  const studio = useStudio()
  const {concept, any} = anchor
  const draft = useSignal('')
  const {answer: view, isOld} = useAnswer(any.length > 0 ? concept : undefined, versionOf(studio.state.value), () =>
    studio.session.concept(concept)
  )
  return (
    <AnchorContext.Provider value={{anchor, concept, view, isOld, draft}}>
      <div class="bench">
        <BenchArea />
        <SuggestArea />
        <EstimatesArea />
      </div>
      <div class="evidence">
        <EvidenceArea />
        <DoctorArea concept={concept} />
      </div>
    </AnchorContext.Provider>
  )
}

/** How common the concept is by every estimator, and what its anchor is worth. */
function EstimatesArea() {
  const {concept, view} = useAnchor()
  const {state} = useStudio()
  if (view === undefined || view.estimates.length === 0) return null
  const rates = conceptOf(state.value, concept)?.rates
  const max = Math.max(0.01, ...view.estimates.map(({prevalence}) => prevalence.high))
  return (
    <Area title="Prevalence by each estimator">
      <Table
        class="estimates"
        caption={`Share of documents that have ${concept}, by each estimator, with its interval`}
        isBare
        rows={view.estimates}
        keyOf={({method}) => method}
        columns={[
          {name: 'estimator', cell: ({method}) => method},
          {
            name: 'interval',
            cell: ({prevalence, method}) => (
              <Whisker estimate={prevalence} max={max} width={140} isUnused={!rates?.sources.includes(method)} />
            )
          },
          {name: 'share', isFigure: true, cell: ({prevalence}) => percent(prevalence.value)},
          {name: 'from, to', look: 'soft nowrap', cell: ({prevalence}) => intervalText(prevalence)},
          {name: 'used', cell: ({method}) => (rates?.sources.includes(method) ? 'used' : '')}
        ]}
      />
      <p class="worth soft">
        {rates === undefined
          ? 'These are estimates by assumptions that nobody checked: the true share is unknown until 30 or more documents are labelled.'
          : worthText(concept, rates, (view.anchored ?? 0) / state.value.documents)}
      </p>
    </Area>
  )
}
