import {useSignal} from '@preact/signals'
import type {Anchor} from '../../read/data/index.ts'
import {FirstConcept} from './add-concepts.tsx'
import {BenchArea} from './bench-area.tsx'
import {ConceptList} from './concept-list.tsx'
import {DoctorArea} from './doctor-area.tsx'
import {EstimatesArea} from './estimates-area.tsx'
import {EvidenceArea} from './evidence-area.tsx'
import {focusSoon} from './focus.ts'
import type {Studio} from './store.ts'
import {SuggestArea} from './suggest-area.tsx'
import {useAnswer, versionOf} from './use-answer.ts'

/** Which concept, what stands for it, and what that brings: three columns in the order of thought. */
export function AnchorsPage({studio}: {studio: Studio}) {
  const {anchors} = studio.project.value
  const wanted = studio.view.value.concept
  const anchor = anchors.find(({concept}) => concept === wanted) ?? anchors[0]
  if (anchor === undefined) return <NoConcepts studio={studio} />
  return (
    <div class="anchors columns">
      <ConceptList studio={studio} current={anchor.concept} />
      <Concept key={anchor.concept} studio={studio} anchor={anchor} />
    </div>
  )
}

function NoConcepts({studio}: {studio: Studio}) {
  return (
    <section class="area stack">
      <h1>Anchors</h1>
      <p class="measured">
        <b>No concepts yet.</b> Name one and give it a word that hardly occurs without it, or take concepts from the
        tags of the documents.
      </p>
      <FirstConcept studio={studio} />
    </section>
  )
}

/** What stands for the concept, and what that brings. Apart from the list, which the answers of the desk do not change. */
function Concept({studio, anchor}: {studio: Studio; anchor: Anchor}) {
  const {concept} = anchor
  const hasWords = anchor.any.length > 0
  // What is typed for the concept; words that are selected in a document come here too.
  const draft = useSignal('')
  const version = versionOf(studio.state.value)
  const {answer: view, isOld} = useAnswer(hasWords ? concept : undefined, version, () => studio.desk.concept(concept))
  const tryAsAnchor = (feature: string) => {
    draft.value = feature
    focusSoon('.probe .field')
  }
  return (
    <>
      <div class="bench">
        <BenchArea studio={studio} anchor={anchor} view={view} isOld={isOld} draft={draft} />
        <SuggestArea studio={studio} concept={concept} hasWords={hasWords} />
        <EstimatesArea concept={concept} view={view} />
      </div>
      <div class="evidence">
        <EvidenceArea studio={studio} concept={concept} view={view} hasWords={hasWords} onTry={tryAsAnchor} />
        <DoctorArea studio={studio} concept={concept} />
      </div>
    </>
  )
}
