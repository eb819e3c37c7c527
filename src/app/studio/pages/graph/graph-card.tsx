import {useState} from 'preact/hooks'
import {counted, percent} from '../../../../base/text/index.ts'
import type {Link} from '../../../../use/facts/index.ts'
import {linkText} from '../../../present/index.ts'
import type {GraphView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {openFindings} from '../../ui/concept-marks.ts'
import {Button} from '../../ui/controls.tsx'
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
    <section class="card" aria-labelledby="card-title" onKeyDown={backToPicture}>
      <div class="area">
        <div class="head">
          <h2 class="concept-name" id="card-title" tabIndex={-1}>
            {concept}
          </h2>
          <span class="rowed">
            <GoLink to={{page: 'anchors', concept}}>its anchors</GoLink>
            <GoLink to={{page: 'documents', concept, query: {concept, low}, document: undefined}}>its documents</GoLink>
          </span>
        </div>
        <Findings findings={findings.filter(finding => finding.concept === concept)} />
        <Neighbours graph={graph} concept={concept} />
      </div>
      <div class="area">
        <h3>Rates, anchor and words</h3>
        <Drawn request={{kind: 'card', concept}} of={graph.revision} />
      </div>
    </section>
  )
}

function backToPicture({key}: KeyboardEvent): void {
  if (key === 'Escape') focusSoon('.network [tabindex="0"]', '.matrix [tabindex="0"]', '.links [aria-current]')
}

/** A network of pairs may join a concept to nearly all others. */
const FIRST = 8

function Neighbours({graph, concept}: CardProps) {
  const [isAll, setAll] = useState(false)
  const at = graph.concepts.findIndex(({name}) => name === concept)
  const links = graph.links.filter(({a, b}) => a === at || b === at)
  return (
    <>
      <h3>{counted(links.length, 'neighbour')}</h3>
      {links.length === 0 ? <p class="soft">No association with another concept was found.</p> : null}
      <ul class="neighbours">
        {links.slice(0, isAll ? links.length : FIRST).map(link => (
          <Neighbour key={`${link.a} ${link.b}`} graph={graph} link={link} at={at} />
        ))}
      </ul>
      {isAll || links.length <= FIRST ? null : (
        <Button look="quiet" isLittle onClick={() => setAll(true)}>
          Show {counted(links.length - FIRST, 'weaker one')}
        </Button>
      )}
    </>
  )
}

function Neighbour({graph, link, at}: {graph: GraphView; link: Link; at: number}) {
  const isFirst = link.a === at
  const {name} = graph.concepts[isFirst ? link.b : link.a]
  const {shares} = link
  const [withIt, without] = isFirst ? [shares?.withA, shares?.withoutA] : [shares?.withB, shares?.withoutB]
  const among =
    withIt === undefined || without === undefined
      ? ''
      : `; in ${percent(withIt)} of documents with ${graph.concepts[at].name}, in ${percent(without)} without`
  const sure = link.confidence === undefined ? '' : `; found again in ${percent(link.confidence)} of the resamples`
  return (
    <li class={link.strength < 0 ? 'apart' : undefined}>
      <p>
        <GoLink to={{concept: name}}>{name}</GoLink>
        {`: ${linkText(link.strength)}${among}${sure}`}
      </p>
      <LinkRule a={graph.concepts[at].name} b={name} />
    </li>
  )
}
