import {useSignal} from '@preact/signals'
import {useEffect} from 'preact/hooks'
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
  return anchor === undefined ? <NoConcepts studio={studio} /> : <Concept studio={studio} concept={anchor.concept} />
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

function Concept({studio, concept}: {studio: Studio; concept: string}) {
  // What is typed for the concept; words that are selected in a document come here too.
  const draft = useSignal('')
  // What was typed for one concept is not meant for the next.
  useEffect(() => {
    draft.value = ''
  }, [concept])
  const version = versionOf(studio.state.value)
  const {answer: view, isOld} = useAnswer(concept, version, () => studio.desk.concept(concept))
  const tryAsAnchor = (feature: string) => {
    draft.value = feature
    focusSoon('.probe .field')
  }
  return (
    <div class="anchors columns">
      <ConceptList studio={studio} current={concept} />
      <div class="bench">
        <BenchArea key={concept} studio={studio} concept={concept} view={view} isOld={isOld} draft={draft} />
        <SuggestArea key={`${concept} words`} studio={studio} concept={concept} />
        <EstimatesArea concept={concept} view={view} />
      </div>
      <div class="evidence">
        <EvidenceArea key={concept} studio={studio} concept={concept} view={view} onTry={tryAsAnchor} />
        <DoctorArea studio={studio} concept={concept} />
      </div>
    </div>
  )
}
