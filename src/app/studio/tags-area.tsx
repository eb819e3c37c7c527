import {useState} from 'preact/hooks'
import type {DocumentView} from '../desk/index.ts'
import {Bar, Button, chance} from './parts.tsx'
import type {KnownConcepts} from './why-area.tsx'

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
export function TagsArea({view, concept, known, given, isScore, onPick}: TagsProps) {
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
