import {useEffect, useRef} from 'preact/hooks'
import {Bar} from '../../../present/index.ts'
import {useStudio} from '../../store.ts'
import {Area, NeedsDocuments, useFew} from '../../ui/area.tsx'
import {isScored} from '../../ui/concept-marks.ts'
import {usePageKeys} from '../../ui/keys.ts'
import {chance} from '../../ui/marks.tsx'
import {FilterArea} from './filter-area.tsx'
import {DocumentsRows, ListNote, useDocumentsList, useWalkingKeys} from './list-area.tsx'
import {TextArea} from './text-area.tsx'
import {type OpenedDocument, useDocument, WhyArea} from './why-area.tsx'

/** Find documents, read one, and see why the model believes what it does of it. */
export function DocumentsPage() {
  const {documents} = useStudio().state.value
  return documents === 0 ? <NeedsDocuments page="Documents" /> : <Documents />
}

function Documents() {
  const studio = useStudio()
  const {query, concept} = studio.view.value
  const list = useDocumentsList(query)
  const opened = useDocument()
  const {view} = opened
  const first = useRef<HTMLInputElement>(null)
  useWalkingKeys(list)
  usePageKeys(key => {
    if (key === '/') first.current?.focus()
    return key === '/'
  })
  // Opened without a question, the list is that of the concept at hand.
  useEffect(() => {
    const isKnown = studio.project.value.anchors.some(anchor => anchor.concept === concept)
    if (Object.keys(query).length === 0 && concept !== undefined && isKnown) studio.go({query: {concept}})
    // Only when the page opens.
  }, [studio])
  return (
    <>
      <h1 class="unseen">Documents</h1>
      <FilterArea total={list.total} first={first} />
      <div class="documents columns">
        <div class="list">
          <ListNote list={list} />
          <DocumentsRows
            list={list}
            id="hit"
            name={`Documents, ${query.concept === undefined ? 'in file order' : 'likeliest first'}`}
          />
        </div>
        <div class="text">
          {view === undefined ? (
            <Area also="soft">{list.total === 0 ? 'No document is open.' : 'Reading …'}</Area>
          ) : (
            <TextArea view={view} concept={opened.concept} onMove={list.move} />
          )}
          {opened.isScored ? <TagsArea opened={opened} /> : null}
        </div>
        {view === undefined ? null : <WhyArea opened={opened} />}
      </div>
    </>
  )
}

/** Concepts shown before all are asked for. */
const FEW = 6

/** The concepts of the document, most probable first, or as they would be if what is set were so; a concept is a step to its reasons. */
function TagsArea({opened: {view, concept, known, why}}: {opened: OpenedDocument}) {
  const studio = useStudio()
  const {concepts = []} = view ?? {}
  const [shown, more] = useFew(concepts, FEW)
  const given = Object.keys(known).length > 0 ? why.answer?.probabilities : undefined
  const isScore = (name: string) => isScored(studio.state.value, name)
  const what = concepts.some(({name}) => isScore(name)) ? 'Scores' : 'Probabilities'
  return (
    <Area title={given ? `${what} if so` : what} id="tags-title">
      <ul class={given ? 'tags if' : 'tags'}>
        {shown.map(({name, probability, label}) => {
          const set = Object.hasOwn(known, name) ? known[name] : undefined
          const share = set === undefined ? (given?.[name] ?? probability) : Number(set)
          return (
            <li key={name}>
              <span class="tag">
                <button
                  type="button"
                  class="link"
                  aria-current={name === concept ? 'true' : undefined}
                  onClick={() => studio.go({concept: name})}
                >
                  {name}
                </button>
                {set === undefined ? null : <span class="soft">{` set to ${set ? 'yes' : 'no'}`}</span>}
                {label === undefined ? null : <span class="you">{` you: ${label ? 'yes' : 'no'}`}</span>}
              </span>
              <Bar share={share} />
              <span class="n">
                {given && set === undefined ? <s class="was">{chance(probability, isScore(name))}</s> : null}{' '}
                {set === undefined ? chance(share, isScore(name)) : set ? '100%' : '0%'}
              </span>
            </li>
          )
        })}
      </ul>
      {more}
    </Area>
  )
}
