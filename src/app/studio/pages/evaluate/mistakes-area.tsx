import {useRef, useState} from 'preact/hooks'
import {grouped} from '../../../../base/text/index.ts'
import type {DocumentLine, DocumentList, ListQuery} from '../../../session/index.ts'
import type {Studio} from '../../store.ts'
import {useStudio} from '../../store.ts'
import {useAnswer} from '../../ui/answer.ts'
import {isScored} from '../../ui/concept-marks.ts'
import {Button, Select} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {focusSoon, stepInList, usePageKeys} from '../../ui/keys.ts'
import {OldFigures} from '../../ui/marks.tsx'
import {Hit} from '../documents/list-area.tsx'
import {TextArea} from '../documents/text-area.tsx'
import {useDocument, WhyArea} from '../documents/why-area.tsx'

/** Rows of a list; as many more on demand. */
const FEW = 50

const KINDS = [
  ['alarm', 'False alarms', 'reported without the tag', 'reported, and labelled no'],
  ['miss', 'Missed', 'tagged and not reported', 'labelled yes, and not reported']
] as const

type Kind = (typeof KINDS)[number][0]

interface MistakesProps {
  readonly concepts: readonly string[]
  readonly by: 'tags' | 'labels'
  /** The figures: the documents are asked for again with new ones. */
  readonly of: unknown
  readonly concept: string
  readonly isOld: boolean
}

/** False alarms and misses of a concept side by side, with the text of one and why the model believes what it does of it. */
export function MistakesArea({concepts, by, of, concept, isOld}: MistakesProps) {
  const studio = useStudio()
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const lists = {alarm: useMistakes(studio, of, concept, 'alarm'), miss: useMistakes(studio, of, concept, 'miss')}
  const firsts = KINDS.flatMap(([kind]) => lists[kind].rows.slice(0, 1).map(({at}) => ({kind, at, concept})))
  const first = firsts.find(({kind}) => kind === studio.view.value.mistakes) ?? firsts[0]
  const shown = open?.concept === concept ? open : first
  const meaningOf = (kind: Kind) => KINDS.find(([one]) => one === kind)?.[by === 'labels' ? 3 : 2] ?? ''
  const move = (key: 'j' | 'k') => {
    const rows = shown === undefined ? [] : lists[shown.kind].rows
    const to = stepInList(
      key === 'j' ? 'ArrowDown' : 'ArrowUp',
      rows.findIndex(({at}) => at === shown?.at),
      rows.length
    )
    if (shown !== undefined && to !== undefined) setOpen({...shown, at: rows[to].at})
  }
  usePageKeys(
    key => {
      if (key !== 'j' && key !== 'k') return false
      move(key)
      return true
    },
    () => true
  )
  return (
    <>
      <div class="page-head">
        <h1>Evaluate</h1>
        <p class="lead">
          {isOld || lists.alarm.isOld || lists.miss.isOld ? <OldFigures /> : null} Mistakes about <b>{concept}</b>, the
          surest first. <GoLink to={{page: 'anchors', concept}}>Its anchor</GoLink>
        </p>
        <div class="do">
          <Select
            label="Concept"
            isBare
            value={String(concepts.indexOf(concept))}
            options={concepts.map((name, at) => [String(at), name] as const)}
            onPick={at => studio.go({concept: concepts[Number(at)]})}
          />
          <Button
            onClick={() => {
              studio.go({mistakes: undefined})
              focusSoon('#page')
            }}
          >
            All figures
          </Button>
        </div>
      </div>
      <div class="mistakes columns">
        {KINDS.map(([kind, title]) => (
          <MistakeList
            key={kind}
            {...{kind, title, concept, list: lists[kind]}}
            isScore={isScored(studio.state.value, concept)}
            meaning={meaningOf(kind)}
            open={shown?.kind === kind ? shown.at : undefined}
            onOpen={at => setOpen({kind, at, concept})}
          />
        ))}
        <Opened shown={shown} meaning={meaningOf(shown?.kind ?? 'alarm')} concept={concept} onMove={move} />
      </div>
    </>
  )
}

interface Open {
  readonly kind: Kind
  readonly at: number
  readonly concept: string
}

interface Mistakes {
  readonly total: number | undefined
  readonly rows: readonly DocumentLine[]
  /** Whether they are of earlier figures. */
  readonly isOld: boolean
  more(): void
}

/** The documents of one kind; asked for again with new figures. */
function useMistakes(studio: Studio, of: unknown, concept: string, wrong: Kind): Mistakes {
  const [count, setCount] = useState(FEW)
  const version = useRef({view: of, number: 0})
  if (version.current.view !== of) version.current = {view: of, number: version.current.number + 1}
  const {answer, isOld} = useAnswer(concept, `${version.current.number} ${count}`, async () => ({
    ...(await firstRows(studio, {concept, wrong}, count)),
    of
  }))
  return {
    total: answer?.total,
    rows: answer?.rows ?? [],
    isOld: isOld && answer?.of !== of,
    more: () => setCount(count + FEW)
  }
}

/** Lists come in pages. */
async function firstRows({session}: Studio, query: ListQuery, count: number): Promise<Omit<DocumentList, 'from'>> {
  const first = await session.list(query, 0, count)
  const rows = [...first.rows]
  while (rows.length < Math.min(count, first.total)) {
    const next = await session.list(query, rows.length, count - rows.length)
    if (next.rows.length === 0) break
    rows.push(...next.rows)
  }
  return {total: first.total, rows}
}

function MistakeList(props: {
  readonly kind: Kind
  readonly title: string
  readonly meaning: string
  readonly concept: string
  readonly isScore: boolean
  readonly list: Mistakes
  readonly open: number | undefined
  readonly onOpen: (at: number) => void
}) {
  const {kind, title, meaning, concept, isScore, list, open, onOpen} = props
  const {rows, total} = list
  const place = rows.findIndex(({at}) => at === open)
  return (
    <section class="area list" aria-labelledby={`${kind}-title`}>
      <div class="head">
        <h2 id={`${kind}-title`}>{`${title}: ${total === undefined ? '…' : grouped(total)}`}</h2>
      </div>
      <p class="soft small">{meaning}</p>
      {rows.length === 0 ? null : (
        <div
          class="hits"
          role="listbox"
          tabIndex={0}
          aria-label={`${title} of ${concept}; arrows walk, Enter opens`}
          aria-activedescendant={place < 0 ? undefined : `${kind}-${place}`}
          onKeyDown={event => {
            if (event.ctrlKey || event.metaKey || event.altKey) return
            const to = stepInList(event.key, place, rows.length)
            if (event.key === 'Enter') document.getElementById('text-title')?.focus()
            else if (to === undefined) return
            else {
              onOpen(rows[to].at)
              document.getElementById(`${kind}-${to}`)?.scrollIntoView({block: 'nearest'})
            }
            event.preventDefault()
          }}
        >
          {rows.map((line, at) => (
            <Hit
              key={line.at}
              id={`${kind}-${at}`}
              place={at}
              total={total ?? rows.length}
              line={line}
              concept={concept}
              isScore={isScore}
              isOpen={at === place}
              onPick={() => {
                onOpen(line.at)
                // Below the lists, on narrow screens.
                document.getElementById('text-title')?.scrollIntoView({block: 'nearest'})
              }}
            />
          ))}
        </div>
      )}
      {total === undefined || total <= rows.length ? null : (
        <Button isLittle onClick={list.more}>
          {`Show ${grouped(Math.min(FEW, total - rows.length))} more (${grouped(rows.length)} of ${grouped(total)} shown)`}
        </Button>
      )}
    </section>
  )
}

function Opened(props: {
  readonly shown: Open | undefined
  readonly meaning: string
  readonly concept: string
  readonly onMove: (key: 'j' | 'k') => void
}) {
  const studio = useStudio()
  const {shown, meaning, concept, onMove} = props
  const {revision, scores} = studio.state.value
  const opened = useDocument(studio, shown?.at, `${revision} ${scores.is}`)
  const {view} = opened
  if (view === undefined)
    return <section class="area soft">{shown === undefined ? 'No mistake is open.' : 'Reading …'}</section>
  return (
    <div class="text">
      <p class="area">
        <b>{concept}</b> is {meaning} here.
      </p>
      <TextArea view={view} concept={concept} onMove={onMove} />
      <WhyArea concept={concept} opened={opened} />
    </div>
  )
}
