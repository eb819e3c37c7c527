import {grouped} from '../../../../base/text/index.ts'
import {Table} from '../../../present/index.ts'
import {useStudio} from '../../store.ts'
import {Button} from '../../ui/controls.tsx'
import {DocumentsLink} from '../../ui/go-link.tsx'
import {focusSoon} from '../../ui/keys.ts'
import {Severity} from '../../ui/marks.tsx'
import {useAnchor} from './anchor-context.ts'

/** The words of the anchor, and those that rule it out. Those of the project are there at once; their documents follow. */
export function MemberTable() {
  const studio = useStudio()
  const {anchor, concept, view, isOld} = useAnchor()
  const rows = [
    ...anchor.any.map(feature => ({feature, isVeto: false, of: view?.members.find(one => one.feature === feature)})),
    ...anchor.not.map(feature => ({feature, isVeto: true, of: view?.vetoes.find(one => one.feature === feature)}))
  ]
  if (rows.length === 0)
    return (
      <p class="soft">
        No words yet. Add one that rarely occurs without the concept; until then the concept is left out.
      </p>
    )
  const waiting = <span class="soft">…</span>
  return (
    <Table
      class={isOld ? 'features stale' : 'features'}
      rows={rows}
      keyOf={({feature, isVeto}) => `${isVeto} ${feature}`}
      columns={[
        {
          name: 'Any of these words',
          cell: ({feature, isVeto, of}) => (
            <>
              <code>{feature}</code>
              {isVeto ? <span class="soft">rules it out </span> : null}
              {of?.documents === 0 ? <Severity is="note">never occurs</Severity> : null}
            </>
          )
        },
        {
          name: 'documents',
          isFigure: true,
          cell: ({feature, of}) =>
            of === undefined ? waiting : <DocumentsLink {...{concept, feature, documents: of.documents}} />
        },
        {
          name: 'only this word',
          isFigure: true,
          cell: ({isVeto, of}) => (isVeto ? '' : of === undefined ? waiting : grouped(of.alone))
        },
        {
          name: 'what to do',
          isUnseen: true,
          cell: ({feature, isVeto}, at) => (
            <Button
              look="quiet"
              isLittle
              of={feature}
              onClick={() => {
                studio.edit({kind: isVeto ? 'removeVeto' : 'removeMember', concept, feature})
                focusSoon(removeAt(at + 1), removeAt(at), '.probe .field')
              }}
            >
              Remove
            </Button>
          )
        }
      ]}
    />
  )
}

const removeAt = (row: number) => `.features tbody tr:nth-child(${row}) .button`
