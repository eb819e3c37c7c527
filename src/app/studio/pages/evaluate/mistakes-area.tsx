import {grouped} from '../../../../base/text/index.ts'
import type {MistakeKind} from '../../../present/index.ts'
import {useStudio} from '../../store.ts'
import {Area, PageHead, Say} from '../../ui/area.tsx'
import {Button, Select} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {focusSoon} from '../../ui/keys.ts'
import {OldFigures} from '../../ui/marks.tsx'
import {type DocumentsList, DocumentsRows, useDocumentsList, useWalkingKeys} from '../documents/list-area.tsx'
import {TextArea} from '../documents/text-area.tsx'
import {useDocument, WhyArea} from '../documents/why-area.tsx'

const KINDS: Readonly<Record<MistakeKind, {readonly title: string; readonly tags: string; readonly labels: string}>> = {
  alarm: {title: 'False alarms', tags: 'reported without the tag', labels: 'reported, and labelled no'},
  miss: {title: 'Missed', tags: 'tagged and not reported', labels: 'labelled yes, and not reported'}
}

/** False alarms and misses of a concept side by side, with the text of one and why the model believes what it does of it. */
export function MistakesArea(props: {
  readonly concepts: readonly string[]
  readonly by: 'tags' | 'labels'
  readonly concept: string
  readonly first: MistakeKind
  /** Changes with the figures: then the documents are asked for again. */
  readonly figures: number
  readonly isOld: boolean
}) {
  const studio = useStudio()
  const {concepts, by, concept, first, figures, isOld} = props
  const opened = useDocument()
  const other = first === 'alarm' ? 'miss' : 'alarm'
  const firstList = useDocumentsList({concept, wrong: first}, figures)
  const otherList = useDocumentsList({concept, wrong: other}, figures, firstList.total === 0)
  const lists = {[first]: firstList, [other]: otherList} as Record<MistakeKind, DocumentsList>
  const shown = otherList.isOpen ? other : first
  useWalkingKeys(lists[shown])
  return (
    <>
      <PageHead
        title="Evaluate"
        lead={
          <>
            {isOld || firstList.isOld ? <OldFigures /> : null} Mistakes about <b>{concept}</b>, the surest first.{' '}
            <GoLink to={{page: 'anchors', concept}}>Its anchor</GoLink>
          </>
        }
      >
        <Select
          label="Concept"
          isBare
          value={concept}
          options={concepts.map(name => [name, name] as const)}
          onPick={picked => studio.go({concept: picked, document: undefined})}
        />
        <Button
          onClick={() => {
            studio.go({mistakes: undefined})
            focusSoon('#page')
          }}
        >
          All figures
        </Button>
      </PageHead>
      <div class="mistakes columns">
        {(['alarm', 'miss'] as const).map(kind => (
          <MistakeList key={kind} kind={kind} meaning={KINDS[kind][by]} list={lists[kind]} />
        ))}
        {opened.view === undefined ? (
          <Area also="soft">{otherList.total === 0 ? 'No mistake is open.' : 'Reading …'}</Area>
        ) : (
          <div class="text">
            <p class="area">
              <b>{concept}</b> is {KINDS[shown][by]} here.
            </p>
            <TextArea view={opened.view} concept={concept} onMove={lists[shown].move} />
            <WhyArea opened={opened} />
          </div>
        )}
      </div>
    </>
  )
}

function MistakeList({kind, meaning, list}: {kind: MistakeKind; meaning: string; list: DocumentsList}) {
  const {title} = KINDS[kind]
  const {total, query, fault} = list
  return (
    <Area title={`${title}: ${total === undefined ? '…' : grouped(total)}`} id={`${kind}-title`} also="list">
      <p class="soft small">{meaning}</p>
      <Say is="bad">{fault?.message}</Say>
      {total === 0 ? null : <DocumentsRows list={list} id={kind} name={`${title} of ${query.concept}`} />}
    </Area>
  )
}
