import {namedFeature, type TextPart, type TextSpan} from '../desk/index.ts'
import {featureGroups} from './feature-groups.ts'

/** Weights of less than this say nothing; from the others on, the underline is thicker. */
const STEPS = [0.25, 0.7, 1.5, 3]

/** What the words of a document became: anchors boxed, words underlined by weight, negated and dropped words marked. */
export function DocText(props: {parts: readonly TextPart[]; isLarge?: boolean; hasWeights?: boolean}) {
  const {parts, isLarge = false, hasWeights = false} = props
  return (
    <dl class={isLarge ? 'doc read' : 'doc'}>
      {featureGroups(parts).map(({title, ...part}) => [
        <dt key={`${part.field} ${title} name`}>{title}</dt>,
        <dd
          key={`${part.field} ${title}`}
          class={part.isText ? 'prose' : undefined}
          data-field={part.field}
          data-prose={part.isText ? '' : undefined}
        >
          <Spans spans={part.spans} isText={part.isText} hasWeights={hasWeights} />
        </dd>
      ])}
    </dl>
  )
}

/** The beginning of a document, for lists. */
export function Snippet({parts}: {parts: readonly TextPart[]}) {
  return (
    <span class="snippet">
      {parts.map(({field, isText, spans}) => [
        <span key={field} class="part" data-field={field} data-prose={isText ? '' : undefined}>
          <Spans spans={spans} isText={isText} />
        </span>,
        ' '
      ])}
    </span>
  )
}

/** The spans of one field: running text, or features with dots between. */
export function Spans(props: {spans: readonly TextSpan[]; isText: boolean; hasWeights?: boolean}) {
  const {spans, isText, hasWeights = false} = props
  return (
    <>
      {spans.map((span, at) =>
        isText ? (
          <Span key={at} span={span} hasWeights={hasWeights} />
        ) : (
          [
            <span class="t" key={at}>
              <Span span={named(span)} hasWeights={hasWeights} />
            </span>,
            ' '
          ]
        )
      )}
    </>
  )
}

/** A feature by its name alone; its kind stands above it. */
function named(span: TextSpan): TextSpan {
  const {name, isNegated} = namedFeature(span.text)
  return {...span, text: name, ...(isNegated && {isNegated})}
}

function Span({span, hasWeights}: {span: TextSpan; hasWeights: boolean}) {
  const {text, kind, feature, concepts = [], weight = 0} = span
  if (kind === 'plain') return <>{text}</>
  const step = kind === 'dropped' ? 0 : STEPS.filter(least => Math.abs(weight) >= least).length
  const look = [
    kind !== 'word' && kind,
    span.isNegated && 'negated',
    step > 0 && `${weight > 0 ? 'for' : 'against'} w${step}`
  ].filter(Boolean)
  const Word = kind === 'dropped' ? 's' : 'span'
  return (
    <>
      <Word class={look.join(' ') || undefined} data-feature={kind === 'dropped' ? undefined : feature}>
        {text}
      </Word>
      {kind === 'anchor' && concepts.length > 0 ? <span class="anchor-of"> {concepts.join(', ')}</span> : null}
      {hasWeights && step > 0 ? (
        <span class="weight">{`${weight > 0 ? '+' : '\u2212'}${Math.abs(weight).toFixed(1)}`}</span>
      ) : null}
    </>
  )
}
