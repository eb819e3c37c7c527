import {useSignal} from '@preact/signals'
import {percent} from '../../../../base/text/index.ts'
import type {Anchor} from '../../../../read/data/index.ts'
import {Table} from '../../../present/index.ts'
import type {ConceptView, Estimate} from '../../../session/index.ts'
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
  if (view === undefined || view.estimators.length === 0) return null
  const isMeasured = view.prevalence !== undefined
  const max = Math.max(0.01, ...view.estimators.map(({prevalence: p}) => p?.high ?? p?.value ?? 0))
  return (
    <section class="area" aria-labelledby="rates-title">
      <div class="head">
        <h2 id="rates-title">Prevalence by each estimator</h2>
      </div>
      <Table
        class="estimates"
        caption={`Share of documents that have ${concept}, by each estimator, with its interval`}
        isBare
        rows={view.estimators}
        keyOf={({method}) => method}
        columns={[
          {name: 'estimator', cell: ({method}) => method},
          {
            name: 'interval',
            cell: ({prevalence: p, isUsed}) => p && <Whisker estimate={p} max={max} width={140} isUnused={!isUsed} />
          },
          {
            name: 'share',
            isFigure: true,
            cell: ({prevalence: p}) => (p ? percent(p.value) : <span class="soft">none</span>)
          },
          {name: 'from, to', look: 'soft nowrap', cell: ({prevalence: p}) => p && intervalText(p)},
          {name: 'used', cell: ({isUsed}) => (isUsed ? 'used' : '')}
        ]}
      />
      {isMeasured ? null : (
        <p class="worth soft">
          These are estimates by assumptions that nobody checked: the true share is unknown until 30 or more documents
          are labelled.
        </p>
      )}
      <Worth concept={concept} precision={view.precision} coverage={view.coverage} />
    </section>
  )
}

function Worth(props: {concept: string; precision: Estimate | undefined; coverage: Estimate | undefined}) {
  const {concept, precision, coverage} = props
  if (precision === undefined || coverage === undefined) return null
  return (
    <p class="worth soft">
      {`Where its anchor fires, ${withInterval(precision)} have ${concept}. Of the documents that have it, the anchor fires in ${withInterval(coverage)}.`}
    </p>
  )
}

function withInterval(estimate: Estimate): string {
  const interval = intervalText(estimate)
  return `${percent(estimate.value)}${interval === '' ? '' : ` (${interval})`}`
}
