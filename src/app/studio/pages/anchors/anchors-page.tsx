import {useSignal} from '@preact/signals'
import {percent} from '../../../../base/text/index.ts'
import type {Anchor} from '../../../../read/data/index.ts'
import {Table, worthText} from '../../../present/index.ts'
import type {ConceptView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer, versionOf} from '../../ui/answer.ts'
import {focusSoon} from '../../ui/focus.ts'
import {intervalText, Whisker} from '../../ui/marks.tsx'
import {FirstConcept} from './add-concepts.tsx'
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
    <section class="area stack">
      <h1>Anchors</h1>
      <p class="measured">
        <b>No concepts yet.</b> Name one and give it a word that hardly occurs without it, or take concepts from the
        tags of the documents.
      </p>
      <FirstConcept />
    </section>
  )
}

/** What stands for the concept, and what that brings. Apart from the list, which the answers of the session do not change. */
function Concept({anchor}: {anchor: Anchor}) {
  const studio = useStudio()
  const {concept} = anchor
  const hasWords = anchor.any.length > 0
  // What is typed for the concept; words that are selected in a document come here too.
  const draft = useSignal('')
  const version = versionOf(studio.state.value)
  const {answer: view, isOld} = useAnswer(hasWords ? concept : undefined, version, () =>
    studio.session.concept(concept)
  )
  const tryAsAnchor = (feature: string) => {
    draft.value = feature
    focusSoon('.probe .field')
  }
  return (
    <>
      <div class="bench">
        <BenchArea anchor={anchor} view={view} isOld={isOld} draft={draft} />
        <SuggestArea concept={concept} hasWords={hasWords} />
        <EstimatesArea concept={concept} view={view} />
      </div>
      <div class="evidence">
        <EvidenceArea concept={concept} view={view} hasWords={hasWords} onTry={tryAsAnchor} />
        <DoctorArea concept={concept} />
      </div>
    </>
  )
}

/** How common the concept is by every estimator, and what its anchor is worth. */
function EstimatesArea({concept, view}: {concept: string; view: ConceptView | undefined}) {
  if (view === undefined || view.estimates.length === 0) return null
  const {concepts, documents} = useStudio().state.value
  const rates = concepts.find(({name}) => name === concept)?.rates
  const max = Math.max(0.01, ...view.estimates.map(({prevalence}) => prevalence.high))
  return (
    <section class="area" aria-labelledby="rates-title">
      <div class="head">
        <h2 id="rates-title">Prevalence by each estimator</h2>
      </div>
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
          : worthText(concept, rates, (view.anchored ?? 0) / documents)}
      </p>
    </section>
  )
}
