import {counted, percent} from '../../../../base/text/index.ts'
import type {Link} from '../../../../use/facts/index.ts'
import {linkText} from '../../../present/index.ts'
import type {GraphView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Area, useFew} from '../../ui/area.tsx'
import {openFindings} from '../../ui/concept-marks.ts'
import {GoLink} from '../../ui/go-link.tsx'
import {focusSoon} from '../../ui/keys.ts'
import {Drawn} from '../../ui/picture.tsx'
import {Findings} from '../anchors/doctor-area.tsx'
import {LinkRule} from './graph-options.tsx'

interface CardProps {
  readonly graph: GraphView
  readonly concept: string
}

/** All that is known of one concept: neighbours and findings, rates, anchor and words. */
export function GraphCard({graph, concept}: CardProps) {
  const studio = useStudio()
  const findings = openFindings(studio.state.value, studio.project.value.anchors)
  const {threshold: low = 0.5} = studio.state.value
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is inside has the focus and the keys
    <div class="card" onKeyDown={backToPicture}>
      <Area
        title={concept}
        id="card-title"
        aside={
          <span class="rowed">
            <GoLink to={{page: 'anchors', concept}}>its anchors</GoLink>
            <GoLink to={{page: 'documents', concept, query: {concept, low}, document: undefined}}>its documents</GoLink>
          </span>
        }
      >
        <Findings findings={findings.filter(finding => finding.concept === concept)} />
        <Neighbours graph={graph} concept={concept} />
      </Area>
      <Area title="Rates, anchor and words">
        <Drawn request={{kind: 'card', concept}} of={graph.revision} />
      </Area>
    </div>
  )
}

function backToPicture({key}: KeyboardEvent): void {
  if (key === 'Escape') focusSoon('.network [tabindex="0"]', '.matrix [tabindex="0"]', '.links [aria-current]')
}

/** A network of pairs may join a concept to nearly all others. */
const FIRST = 8

function Neighbours({graph, concept}: CardProps) {
  const {concepts} = graph
  const at = concepts.findIndex(({name}) => name === concept)
  const links = graph.links.filter(({a, b}) => a === at || b === at)
  const [shown, more] = useFew(links, FIRST)
  return (
    <>
      <h3>{counted(links.length, 'neighbour')}</h3>
      {links.length === 0 ? <p class="soft">No association with another concept was found.</p> : null}
      <ul class="neighbours">
        {shown.map(link => {
          const {name} = concepts[link.a === at ? link.b : link.a]
          return (
            <li key={name} class={link.strength < 0 ? 'apart' : undefined}>
              <p>
                <GoLink to={{concept: name}}>{name}</GoLink>
                {`: ${linkText(link.strength)}${shareText(link, at, concept)}`}
              </p>
              <LinkRule a={concept} b={name} />
            </li>
          )
        })}
      </ul>
      {more}
    </>
  )
}

/** How often the neighbour occurs with the concept and without it, and how sure the link is. */
function shareText({a, shares, confidence}: Link, at: number, concept: string): string {
  const [withIt, without] = a === at ? [shares?.withA, shares?.withoutA] : [shares?.withB, shares?.withoutB]
  const among =
    withIt === undefined || without === undefined
      ? ''
      : `; in ${percent(withIt)} of documents with ${concept}, in ${percent(without)} without`
  return confidence === undefined ? among : `${among}; found again in ${percent(confidence)} of the resamples`
}
