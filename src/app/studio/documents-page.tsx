import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks'
import {type DocumentView, type ExplanationView, weighWords} from '../desk/index.ts'
import {DocumentRows} from './document-rows.ts'
import {FilterArea} from './filter-area.tsx'
import {NeedsDocuments} from './label-page.tsx'
import {Latest} from './latest.ts'
import {closeFold, ListArea, type Step} from './list-area.tsx'
import {usePageKeys} from './page-keys.ts'
import {saveFile} from './save-file.ts'
import type {Studio} from './store.ts'
import {TagsArea} from './tags-area.tsx'
import {TextArea} from './text-area.tsx'
import {type KnownConcepts, labelOf, NoReasons, WhyArea} from './why-area.tsx'

/** Find documents, read one, and see why the model believes what it does of it. */
export function DocumentsPage({studio}: {studio: Studio}) {
  if (studio.state.value.documents === 0) return <NeedsDocuments studio={studio} title="Documents" />
  return <Documents studio={studio} />
}

function Documents({studio}: {studio: Studio}) {
  const rows = useRows(studio)
  const first = useRef<HTMLInputElement>(null)
  const step: Step = useRef(null)
  const {query} = studio.view.value
  usePageKeys(key => {
    if (key !== '/') return false
    openFilter(first.current)
    return true
  })
  const save = async () => {
    try {
      saveFile(await studio.desk.export('documents.csv', query))
    } catch (error) {
      studio.say(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const openText = () => {
    closeFold()
    document.getElementById('text-title')?.focus()
  }
  return (
    <>
      <h1 class="unseen">Documents</h1>
      <FilterArea studio={studio} total={rows.total.value} first={first} onExport={() => void save()} />
      <div class="documents columns">
        <ListArea studio={studio} rows={rows} step={step} onOpen={openText} />
        <OpenDocument studio={studio} step={step} />
      </div>
    </>
  )
}

/** On narrow screens the filter lies over the page. */
function openFilter(input: HTMLInputElement | null): void {
  const form = document.getElementById('filter')
  if (form !== null && getComputedStyle(form).display === 'none') form.showPopover()
  input?.focus()
}

/** Results that lists and texts follow from, by name: when it changes, they are asked for again. */
function resultsName({state}: Studio): string {
  return `${state.value.revision} ${state.value.scores.is}`
}

function useRows(studio: Studio): DocumentRows {
  const rows = useMemo(() => new DocumentRows(), [])
  const {query, concept} = studio.view.value
  const name = JSON.stringify(query)
  const results = resultsName(studio)
  // Opened without a question, the list is that of the concept at hand.
  useEffect(() => {
    const isKnown = studio.project.value.anchors.some(anchor => anchor.concept === concept)
    if (name === '{}' && concept !== undefined && isKnown) studio.go({query: {concept}})
    // Only when the page opens.
  }, [studio])
  // The query by its name; new results give a new list. Before the list looks for its first row: that of the last query is another.
  useLayoutEffect(() => rows.open((from, count) => studio.desk.list(query, from, count)), [rows, studio, name, results])
  return rows
}

function OpenDocument({studio, step}: {studio: Studio; step: Step}) {
  const {at, view, concept, known, setKnown, why} = useDocument(studio)
  if (view === undefined)
    return (
      <div class="text">
        <section class="area soft">{at === undefined ? 'No document is open.' : 'Reading …'}</section>
      </div>
    )
  return (
    <>
      <div class="text">
        <TextArea
          studio={studio}
          view={weighed(view, concept, why.value.value)}
          concept={concept}
          onMove={key => step.current?.(key)}
        />
        {view.concepts.length === 0 ? null : (
          <TagsArea
            view={view}
            concept={concept}
            known={known}
            given={why.value.value?.probabilities}
            onPick={picked => studio.go({concept: picked})}
          />
        )}
      </div>
      {concept === undefined || view.concepts.length === 0 ? (
        <NoReasons scores={studio.state.value.scores} />
      ) : (
        <WhyArea
          concept={concept}
          explanation={why.value.value}
          fault={why.fault.value}
          label={labelOf(view, concept)}
          known={known}
          threshold={studio.state.value.threshold ?? 0.5}
          onSet={setKnown}
        />
      )}
    </>
  )
}

/** The words of the document with the weights that the reasons give them: one number for both. */
function weighed(view: DocumentView, concept: string | undefined, why: ExplanationView | undefined): DocumentView {
  const isOwn = why?.at === view.at && why.concept === concept
  return isOwn ? {...view, parts: weighWords(view.parts, why.weights)} : view
}

/** The document that is open and the reasons for the concept at hand; what is set goes with the document. */
function useDocument(studio: Studio) {
  const {desk, view: shown} = studio
  const {document: at, concept: chosen} = shown.value
  const text = useMemo(() => new Latest<DocumentView>(), [])
  const why = useMemo(() => new Latest<ExplanationView>(), [])
  const [set, setSet] = useState<{readonly at: number | undefined; readonly known: KnownConcepts}>({at, known: {}})
  const results = resultsName(studio)
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
  return {at, view, concept, known, setKnown: (known: KnownConcepts) => setSet({at, known}), why}
}
