import {useEffect, useRef, useState} from 'preact/hooks'
import {Bar} from '../../../present/index.ts'
import {type DocumentView, MOST_ROWS} from '../../../session/index.ts'
import type {Studio} from '../../store.ts'
import {useStudio} from '../../store.ts'
import {useAnswer} from '../../ui/answer.ts'
import {NeedsDocuments} from '../../ui/area.tsx'
import {isScored} from '../../ui/concept-marks.ts'
import {Button} from '../../ui/controls.tsx'
import {usePageKeys} from '../../ui/keys.ts'
import {chance} from '../../ui/marks.tsx'
import {exportFile} from '../../ui/save-file.ts'
import {FilterArea} from './filter-area.tsx'
import {closeFold, ListArea, type ListRows, type Step} from './list-area.tsx'
import {TextArea} from './text-area.tsx'
import {type KnownConcepts, NoReasons, useDocument, WhyArea} from './why-area.tsx'

/** Find documents, read one, and see why the model believes what it does of it. */
export function DocumentsPage() {
  const studio = useStudio()
  if (studio.state.value.documents === 0) return <NeedsDocuments page="Documents" />
  return <Documents />
}

function Documents() {
  const studio = useStudio()
  const rows = useRows(studio)
  const first = useRef<HTMLInputElement>(null)
  const step: Step = useRef(null)
  const {query} = studio.view.value
  usePageKeys(key => {
    if (key !== '/') return false
    openFilter(first.current)
    return true
  })
  const openText = () => {
    closeFold()
    document.getElementById('text-title')?.focus()
  }
  return (
    <>
      <h1 class="unseen">Documents</h1>
      <FilterArea total={rows.total} first={first} onExport={() => void exportFile(studio, 'documents.csv', query)} />
      <div class="documents columns">
        <ListArea rows={rows} step={step} onOpen={openText} />
        <OpenDocument step={step} />
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

/** Rows between two questions while the list is scrolled. */
const STRIDE = 20

/** The rows of the list near those on the screen, asked for as they are needed; those that are there stay until others arrive. */
function useRows(studio: Studio): ListRows {
  const {query, concept} = studio.view.value
  const [from, setFrom] = useState(0)
  // Opened without a question, the list is that of the concept at hand.
  useEffect(() => {
    const isKnown = studio.project.value.anchors.some(anchor => anchor.concept === concept)
    if (JSON.stringify(query) === '{}' && concept !== undefined && isKnown) studio.go({query: {concept}})
    // Only when the page opens.
  }, [studio])
  const list = `${JSON.stringify(query)} ${resultsName(studio)}`
  const {answer, fault} = useAnswer('', `${list} ${from}`, async () => {
    return {...(await studio.session.list(query, from, MOST_ROWS)), list}
  })
  const {rows = [], from: first = 0, total} = answer ?? {}
  return {
    total,
    fault: fault?.message,
    isCurrent: answer?.list === list,
    any: rows[0],
    row: at => rows[at - first],
    place(document) {
      const at = rows.findIndex(row => row.at === document)
      return at < 0 ? -1 : first + at
    },
    need: range => setFrom(Math.max(0, Math.floor(range.from / STRIDE - 1) * STRIDE))
  }
}

function OpenDocument({step}: {step: Step}) {
  const studio = useStudio()
  const opened = useDocument(studio, studio.view.value.document, resultsName(studio))
  const {view, concept, known, why} = opened
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
        <TextArea view={view} concept={concept} onMove={key => step.current?.(key)} />
        {view.concepts.length === 0 ? null : (
          <TagsArea
            view={view}
            concept={concept}
            known={known}
            given={why.answer?.probabilities}
            isScore={name => isScored(studio.state.value, name)}
            onPick={picked => studio.go({concept: picked})}
          />
        )}
      </div>
      {concept === undefined || view.concepts.length === 0 ? (
        <NoReasons scores={studio.state.value.scores} />
      ) : (
        <WhyArea concept={concept} opened={opened} />
      )}
    </>
  )
}

/** Concepts shown before all are asked for. */
const FEW = 6

interface TagsProps {
  readonly view: DocumentView
  readonly concept: string | undefined
  readonly known: KnownConcepts
  /** The probabilities given what is set. */
  readonly given: Readonly<Record<string, number>> | undefined
  /** Whether the probability of a concept only ranks documents. */
  readonly isScore: (concept: string) => boolean
  readonly onPick: (concept: string) => void
}

/** The concepts of the document, most probable first; a concept is a step to its reasons. */
function TagsArea({view, concept, known, given, isScore, onPick}: TagsProps) {
  const [isAll, setAll] = useState(false)
  const isHypothetical = Object.keys(known).length > 0 && given !== undefined
  const isSet = (name: string) => Object.hasOwn(known, name)
  const shareOf = (name: string, probability: number) =>
    isSet(name) ? (known[name] ? 1 : 0) : isHypothetical ? (given[name] ?? probability) : probability
  const shown = isAll ? view.concepts : view.concepts.slice(0, FEW)
  const more = view.concepts.length - FEW
  const what = view.concepts.some(({name}) => isScore(name)) ? 'Scores' : 'Probabilities'
  return (
    <section class="area" aria-labelledby="tags-title">
      <div class="head">
        <h2 id="tags-title">{isHypothetical ? `${what} if so` : what}</h2>
        {more > 0 ? (
          <Button look="quiet" isLittle aria-expanded={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? `only ${FEW}` : `${FEW} of ${view.concepts.length}, show all`}
          </Button>
        ) : null}
      </div>
      <ul class={isHypothetical ? 'tags if' : 'tags'}>
        {shown.map(({name, probability, label}) => (
          <li key={name}>
            <span class="tag">
              <button
                type="button"
                class="link"
                aria-current={name === concept ? 'true' : undefined}
                onClick={() => onPick(name)}
              >
                {name}
              </button>
              {isSet(name) ? <span class="soft">{` set to ${known[name] ? 'yes' : 'no'}`}</span> : null}
              {label === undefined ? null : <span class="you">{` you: ${label ? 'yes' : 'no'}`}</span>}
            </span>
            <Bar share={shareOf(name, probability)} />
            <span class="n">
              {isHypothetical && !isSet(name) ? <s class="was">{chance(probability, isScore(name))}</s> : null}{' '}
              {isSet(name) ? (known[name] ? '100%' : '0%') : chance(shareOf(name, probability), isScore(name))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
