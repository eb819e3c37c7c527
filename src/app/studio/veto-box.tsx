import {useState} from 'preact/hooks'
import {counted} from '../../base/text/index.ts'
import type {ConceptView} from '../desk/index.ts'
import {focusSoon} from './focus.ts'
import {Button, Field} from './parts.tsx'
import type {Studio} from './store.ts'

interface VetoProps {
  readonly studio: Studio
  readonly concept: string
  readonly vetoes: readonly string[]
  readonly view: ConceptView | undefined
}

/** Features where the anchor does not fire, whatever else occurs. */
export function VetoBox({studio, concept, vetoes, view}: VetoProps) {
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const add = async (event: Event) => {
    event.preventDefault()
    const feature = typed.trim()
    const found = vetoFault(studio, concept, feature) ?? (await refusal(studio, concept, feature))
    setFault(found)
    if (found !== undefined || feature === '') return
    studio.edit({kind: 'addVeto', concept, feature})
    setTyped('')
  }
  const documents = new Map(view?.vetoes.map(veto => [veto.feature, veto.documents]))
  return (
    <form class="vetoes" onSubmit={add}>
      <Field
        label="Ruled out by"
        placeholder="word, phrase or /expression/"
        value={typed}
        fault={fault}
        onInput={value => {
          setTyped(value)
          setFault(undefined)
        }}
      />
      {vetoes.length === 0 ? null : (
        <ul class="chips" aria-label="Words that rule it out">
          {vetoes.map((feature, at) => (
            <li key={feature}>
              <code>{feature}</code>
              {documents.has(feature) ? (
                <span class="soft small">{counted(documents.get(feature) ?? 0, 'document')}</span>
              ) : null}
              <Button
                look="quiet"
                isLittle
                onClick={() => {
                  studio.edit({kind: 'removeVeto', concept, feature})
                  focusSoon(chipAt(at + 1), chipAt(at), '.vetoes .field')
                }}
              >
                Remove<span class="unseen">{` ${feature}`}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

const chipAt = (place: number) => `.chips li:nth-child(${place}) .button`

function vetoFault(studio: Studio, concept: string, feature: string): string | undefined {
  const anchor = studio.project.value.anchors.find(one => one.concept === concept)
  if (anchor?.any.includes(feature)) return 'It is a word of the anchor: remove it there first.'
  if (anchor?.not.includes(feature)) return 'It is in the list already.'
  return undefined
}

/** What the desk says against the feature, such as the fault of an expression. */
async function refusal(studio: Studio, concept: string, feature: string): Promise<string | undefined> {
  if (feature === '' || studio.state.value.documents === 0) return undefined
  return studio.desk.probe(concept, feature).then(
    () => undefined,
    (error: Error) => error.message
  )
}
