import {useEffect, useMemo, useState} from 'preact/hooks'
import {type DocumentView, type ExplanationView, weighWords} from '../desk/index.ts'
import {Latest} from './latest.ts'
import type {Studio} from './store.ts'
import type {KnownConcepts} from './why-area.tsx'

/** The words of the document with the weights that the reasons give them: one number for both. */
function weighed(view: DocumentView, concept: string | undefined, why: ExplanationView | undefined): DocumentView {
  const isOwn = why?.at === view.at && why.concept === concept
  return isOwn ? {...view, parts: weighWords(view.parts, why.weights)} : view
}

/** A document and the reasons for the concept at hand; what is set goes with the document. `results`: what both follow from, by name. */
export function useDocument(studio: Studio, at: number | undefined, results: string) {
  const {desk, view: shown} = studio
  const {concept: chosen} = shown.value
  const text = useMemo(() => new Latest<DocumentView>(), [])
  const why = useMemo(() => new Latest<ExplanationView>(), [])
  const [set, setSet] = useState<{readonly at: number | undefined; readonly known: KnownConcepts}>({at, known: {}})
  // New results give other probabilities.
  useEffect(() => {
    if (at === undefined) text.clear()
    else text.want(() => desk.document(at))
  }, [desk, text, at, results])
  const view = text.value.value
  const concept = chosen ?? view?.concepts[0]?.name
  const known = useMemo(() => (set.at === at ? set.known : {}), [set, at])
  const canExplain = view !== undefined && view.concepts.length > 0
  // New results give new reasons.
  useEffect(() => {
    if (at !== undefined && concept !== undefined && canExplain) why.want(() => desk.explain(at, concept, known))
    else why.clear()
  }, [desk, why, at, concept, known, canExplain, results])
  return {
    view: view && weighed(view, concept, why.value.value),
    concept,
    known,
    setKnown: (known: KnownConcepts) => setSet({at, known}),
    why
  }
}
