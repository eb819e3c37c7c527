import {useEffect, useLayoutEffect, useMemo, useRef} from 'preact/hooks'
import {isScored} from './concept-marks.ts'
import {DocumentRows} from './document-rows.ts'
import {FilterArea} from './filter-area.tsx'
import {NeedsDocuments} from './label-page.tsx'
import {closeFold, ListArea, type Step} from './list-area.tsx'
import {usePageKeys} from './page-keys.ts'
import {saveFile} from './save-file.ts'
import type {Studio} from './store.ts'
import {TagsArea} from './tags-area.tsx'
import {TextArea} from './text-area.tsx'
import {useDocument} from './use-document.ts'
import {labelOf, NoReasons, WhyArea} from './why-area.tsx'

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
  const {view, concept, known, setKnown, why} = useDocument(studio, studio.view.value.document, resultsName(studio))
  if (view === undefined)
    return (
      <div class="text">
        <section class="area soft">
          {studio.view.value.document === undefined ? 'No document is open.' : 'Reading …'}
        </section>
      </div>
    )
  return (
    <>
      <div class="text">
        <TextArea studio={studio} view={view} concept={concept} onMove={key => step.current?.(key)} />
        {view.concepts.length === 0 ? null : (
          <TagsArea
            view={view}
            concept={concept}
            known={known}
            given={why.value.value?.probabilities}
            isScore={name => isScored(studio.state.value, name)}
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
          isScore={isScored(studio.state.value, concept)}
          onSet={setKnown}
        />
      )}
    </>
  )
}
