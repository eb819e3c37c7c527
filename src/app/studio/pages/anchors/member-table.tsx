import {counted, grouped} from '../../../../base/text/index.ts'
import {Table} from '../../../present/index.ts'
import type {ConceptView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Button} from '../../ui/controls.tsx'
import {focusSoon} from '../../ui/focus.ts'
import {GoLink} from '../../ui/go-link.tsx'
import {Severity} from '../../ui/marks.tsx'

interface MembersProps {
  readonly concept: string
  readonly members: readonly string[]
  readonly view: ConceptView | undefined
  readonly isOld: boolean
}

/** The words of the anchor. Those of the project are there at once; their documents follow. */
export function MemberTable({concept, members, view, isOld}: MembersProps) {
  const studio = useStudio()
  if (members.length === 0)
    return (
      <p class="soft">
        No words yet. Add one that rarely occurs without the concept; until then the concept is left out.
      </p>
    )
  const known = new Map(view?.members.map(member => [member.feature, member]))
  const waiting = <span class="soft">…</span>
  return (
    <Table
      class={isOld ? 'features stale' : 'features'}
      rows={members}
      keyOf={feature => feature}
      columns={[
        {
          name: 'Any of these words',
          cell: feature => (
            <>
              <code>{feature}</code>
              {known.get(feature)?.documents === 0 ? <Severity is="note">never occurs</Severity> : null}
            </>
          )
        },
        {
          name: 'documents',
          isFigure: true,
          cell: feature => {
            const documents = known.get(feature)?.documents
            return documents === undefined ? waiting : <DocumentsLink {...{concept, feature, documents}} />
          }
        },
        {
          name: 'only this word',
          isFigure: true,
          cell: feature => {
            const alone = known.get(feature)?.alone
            return alone === undefined ? waiting : grouped(alone)
          }
        },
        {
          name: 'what to do',
          isUnseen: true,
          cell: (feature, at) => (
            <Button
              look="quiet"
              isLittle
              onClick={() => {
                studio.edit({kind: 'removeMember', concept, feature})
                focusSoon(removeAt(at + 1), removeAt(at), '.probe .field')
              }}
            >
              Remove<span class="unseen">{` ${feature}`}</span>
            </Button>
          )
        }
      ]}
    />
  )
}

const removeAt = (row: number) => `.features tbody tr:nth-child(${row}) .button`

/** How many documents have a word; a step to them. */
export function DocumentsLink(props: {concept: string; feature: string; documents: number}) {
  const {concept, feature, documents} = props
  if (documents === 0) return <>0</>
  return (
    <GoLink
      to={{page: 'documents', query: {concept, has: feature}, document: undefined}}
      label={`${counted(documents, 'document')} with ${feature}`}
    >
      {grouped(documents)}
    </GoLink>
  )
}
