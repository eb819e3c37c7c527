import {counted, grouped} from '../../base/text/index.ts'
import type {ConceptView, MemberView} from '../desk/index.ts'
import {focusSoon} from './focus.ts'
import {GoLink} from './go-link.tsx'
import {Button, Severity} from './parts.tsx'
import type {Studio} from './store.ts'

interface MembersProps {
  readonly studio: Studio
  readonly concept: string
  readonly members: readonly string[]
  readonly view: ConceptView | undefined
  readonly isOld: boolean
}

/** The words of the anchor. Those of the project are there at once; their documents follow. */
export function MemberTable({studio, concept, members, view, isOld}: MembersProps) {
  if (members.length === 0)
    return (
      <p class="soft">
        No words yet. Add one that rarely occurs without the concept; until then the concept is left out.
      </p>
    )
  const known = new Map(view?.members.map(member => [member.feature, member]))
  return (
    <table class={isOld ? 'features stale' : 'features'}>
      <thead>
        <tr>
          <th scope="col">Any of these words</th>
          <th scope="col" class="n">
            documents
          </th>
          <th scope="col" class="n">
            only this word
          </th>
          <th scope="col">
            <span class="unseen">what to do</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {members.map((feature, at) => (
          <tr key={feature}>
            <th scope="row">
              <code>{feature}</code>
              {known.get(feature)?.documents === 0 ? <Severity is="note">never occurs</Severity> : null}
            </th>
            <Documents studio={studio} concept={concept} feature={feature} member={known.get(feature)} />
            <td>
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
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const removeAt = (row: number) => `.features tbody tr:nth-child(${row}) .button`

function Documents(props: {studio: Studio; concept: string; feature: string; member: MemberView | undefined}) {
  const {studio, concept, feature, member} = props
  return (
    <>
      <td class="n">
        {member === undefined ? (
          <span class="soft">…</span>
        ) : member.documents === 0 ? (
          '0'
        ) : (
          <GoLink
            studio={studio}
            to={{page: 'documents', query: {concept, has: feature}, document: undefined}}
            label={`${counted(member.documents, 'document')} with ${feature}`}
          >
            {grouped(member.documents)}
          </GoLink>
        )}
      </td>
      <td class="n">{member === undefined ? <span class="soft">…</span> : grouped(member.alone)}</td>
    </>
  )
}
