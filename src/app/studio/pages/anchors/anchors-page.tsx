import {useSignal} from '@preact/signals'
import type {Anchor} from '../../../../read/data/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer, versionOf} from '../../ui/answer.ts'
import {Area} from '../../ui/area.tsx'
import {ManyConcepts, NameConcept} from './add-concepts.tsx'
import {AnchorContext} from './anchor-context.ts'
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
      </div>
      <div class="evidence">
        <EvidenceArea />
        <DoctorArea concept={concept} />
      </div>
    </AnchorContext.Provider>
  )
}
