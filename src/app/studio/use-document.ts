import {useEffect, useMemo, useState} from 'preact/hooks'
import type {DocumentView, ExplanationView} from '../desk/index.ts'
import {Latest} from './latest.ts'
import type {Studio} from './store.ts'
import type {KnownConcepts} from './why-area.tsx'

/** A document and the reasons for the concept at hand; what is set goes with the document. `results`: what both follow from, by name. */
export function useDocument(studio: Studio, at: number | undefined, results: string) {
  const {desk, view: shown} = studio
  const {concept: chosen} = shown.value
  const text = useMemo(() => new Latest<DocumentView>(), [])
  const why = useMemo(() => new Latest<ExplanationView>(), [])
  const [set, setSet] = useState<{readonly at: number | undefined; readonly known: KnownConcepts}>({at, known: {}})
  // New results give new weights.
  useEffect(() => {
    if (at === undefined) text.clear()
    else text.want(() => desk.document(at, chosen))
  }, [desk, text, at, chosen, results])
  const view = text.value.value
  const concept = chosen ?? view?.concepts[0]?.name
  const known = useMemo(() => (set.at === at ? set.known : {}), [set, at])
  const canExplain = view !== undefined && view.concepts.length > 0
  // New results give new reasons.
  useEffect(() => {
    if (at !== undefined && concept !== undefined && canExplain) why.want(() => desk.explain(at, concept, known))
    else why.clear()
  }, [desk, why, at, concept, known, canExplain, results])
  return {view, concept, known, setKnown: (known: KnownConcepts) => setSet({at, known}), why}
}
