import {percent} from '../../base/text/index.ts'
import {type CardView, type GraphView, type LinkView, readableFeature} from '../desk/index.ts'
import {openFindings} from './concept-marks.ts'
import {Finding} from './doctor-area.tsx'
import {focusSoon} from './focus.ts'
import {GoLink} from './go-link.tsx'
import {LinkRule} from './link-rule.tsx'
import {Bar, intervalText, Whisker} from './parts.tsx'
import type {Studio} from './store.ts'
import {useAnswer} from './use-answer.ts'

interface CardProps {
  readonly studio: Studio
  readonly graph: GraphView
  readonly concept: string
}

/** All that is known of one concept: rates, anchors, neighbours, words, findings. */
export function GraphCard({studio, graph, concept}: CardProps) {
  const {answer: card, fault} = useAnswer(concept, String(graph.revision), () => studio.desk.card(concept))
  const findings = openFindings(studio.state.value, studio.project.value.anchors)
  const low = studio.state.value.threshold ?? 0.5
  return (
    <section class="card" aria-labelledby="card-title" onKeyDown={backToPicture}>
      <div class="area">
        <div class="head">
          <h2 class="concept-name" id="card-title" tabIndex={-1}>
            {concept}
          </h2>
          <span class="rowed">
            <GoLink studio={studio} to={{page: 'anchors', concept}}>
              its anchors
            </GoLink>
            <GoLink studio={studio} to={{page: 'documents', concept, query: {concept, low}, document: undefined}}>
              its documents
            </GoLink>
          </span>
        </div>
        {fault === undefined ? null : <p class="say bad">{fault.message}</p>}
        {card === undefined ? null : <Rates card={card} />}
      </div>
      <Neighbours studio={studio} graph={graph} concept={concept} />
      {card === undefined ? null : <Words card={card} />}
      {findings
        .filter(finding => finding.concept === concept)
        .map(finding => (
          <div class="area" key={`${finding.kind} ${finding.message}`}>
            <Finding studio={studio} finding={finding} isOwn />
          </div>
        ))}
    </section>
  )
}

function backToPicture({key}: KeyboardEvent): void {
  if (key === 'Escape') focusSoon('.network [tabindex="0"]', '.matrix [tabindex="0"]', '.links [aria-current]')
}

const RATES = [
  ['prevalence', 'Present in documents'],
  ['precision', 'Right where its anchor fires'],
  ['truePositive', 'Anchor fires if present'],
  ['falsePositive', 'Anchor fires if absent']
] as const

function Rates({card}: {card: CardView}) {
  return (
    <>
      <dl class="facts">
        {RATES.map(([rate, words]) => {
          const {value, range: [low, high] = []} = card[rate]
          const estimate = {value, source: '', ...(low !== undefined && high !== undefined && {low, high})}
          return (
            <div key={rate}>
              <dt>{words}</dt>
              <dd>
                {low === undefined ? null : <Whisker estimate={estimate} max={1} width={80} />}
                <b>{percent(value)}</b> <span class="soft">{intervalText(estimate)}</span>
              </dd>
            </div>
          )
        })}
      </dl>
      {card.isConstant ? (
        <p class="say know">Not measured: these are usual for anchors that fire as often. Labels measure them.</p>
      ) : null}
      <p>
        {card.anchors.length === 1 ? 'Anchor: ' : 'Anchor, any of: '}
        <Codes features={card.anchors} />
        {card.vetoes.length === 0 ? null : (
          <>
            ; but not with <Codes features={card.vetoes} />
          </>
        )}
      </p>
    </>
  )
}

/** Features beyond these are on Anchors. */
const CODES = 12

function Codes({features}: {features: readonly string[]}) {
  const more = features.length - CODES
  return (
    <>
      {features.slice(0, CODES).map((feature, at) => (
        <>
          {at > 0 ? ', ' : ''}
          <code key={feature}>{feature}</code>
        </>
      ))}
      {more > 0 ? ` and ${more} more` : ''}
    </>
  )
}

function Neighbours({studio, graph, concept}: CardProps) {
  const at = graph.concepts.findIndex(({name}) => name === concept)
  const links = graph.links.filter(({a, b}) => a === at || b === at)
  return (
    <section class="area" aria-labelledby="near-title">
      <div class="head">
        <h2 id="near-title">Neighbours</h2>
        <span class="soft">{links.length}</span>
      </div>
      {links.length === 0 ? <p class="soft">None: nothing shows a relation to another concept.</p> : null}
      <ul class="neighbours">
        {links.map(link => (
          <Neighbour key={`${link.a} ${link.b}`} studio={studio} graph={graph} link={link} at={at} />
        ))}
      </ul>
    </section>
  )
}

function Neighbour(props: {studio: Studio; graph: GraphView; link: LinkView; at: number}) {
  const {studio, graph, link, at} = props
  const isFirst = link.a === at
  const {name} = graph.concepts[isFirst ? link.b : link.a]
  const [withIt, without] = isFirst ? [link.withA, link.withoutA] : [link.withB, link.withoutB]
  const sure = link.sure === undefined ? '' : `; found again in ${percent(link.sure)} of the resamples`
  return (
    <li class={link.strength < 0 ? 'apart' : undefined}>
      <p>
        <GoLink studio={studio} to={{concept: name}}>
          {name}
        </GoLink>
        {`: ${link.words}; in ${percent(withIt)} of documents with ${graph.concepts[at].name}, in ${percent(without)} without${sure}`}
      </p>
      <LinkRule studio={studio} a={graph.concepts[at].name} b={name} />
    </li>
  )
}

/** "× 3.6" or "÷ 2.0". */
function factor(logOdds: number): string {
  return `${logOdds < 0 ? '÷' : '×'}\u00a0${Math.exp(Math.abs(logOdds)).toPrecision(2)}`
}

function Words({card: {words, weights}}: {card: CardView}) {
  const most = Math.max(...words.map(({switchesOn}) => switchesOn))
  const hasOdds = words.some(({logOdds}) => logOdds !== undefined)
  return (
    <section class="area" aria-labelledby="words-title">
      <div class="head">
        <h2 id="words-title">Words it switches on</h2>
      </div>
      {words.length === 0 ? (
        <p class="soft">None: no word clearly occurs with its anchor.</p>
      ) : (
        <table class="card-words">
          <thead>
            <tr>
              <th scope="col">word</th>
              <th scope="col">switched on in</th>
              <th scope="col" class="n">
                in all
              </th>
              {hasOdds ? (
                <th scope="col" class="n">
                  odds
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {words.map(({word, switchesOn, frequency, logOdds = 0}) => (
              <tr key={word}>
                <th scope="row">{readableFeature(word)}</th>
                <td class="nowrap">
                  <Bar share={switchesOn / most} />
                  {percent(switchesOn)}
                </td>
                <td class="n">{percent(frequency)}</td>
                {hasOdds ? <td class="n">{logOdds === 0 ? '' : factor(logOdds)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Weights title="For it in predictions:" words={weights?.for ?? []} />
      <Weights title="Against it:" words={weights?.against ?? []} />
    </section>
  )
}

function Weights({title, words}: {title: string; words: NonNullable<CardView['weights']>['for']}) {
  if (words.length === 0) return null
  const list = words.map(({word, logOdds}) => `${readableFeature(word)} ${factor(logOdds)}`)
  return (
    <p>
      <b>{title}</b> {list.join(', ')}
    </p>
  )
}
