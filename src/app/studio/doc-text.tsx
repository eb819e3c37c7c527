import type {TextPart, TextSpan} from '../desk/index.ts'

/** Weights of less than this say nothing; from the others on, the underline is thicker. */
const STEPS = [0.25, 0.7, 1.5, 3]

/** What the words of a document became: anchors boxed, words underlined by weight, negated and dropped words marked. */
export function DocText(props: {parts: readonly TextPart[]; isLarge?: boolean; hasWeights?: boolean}) {
  const {parts, isLarge = false, hasWeights = false} = props
  return (
    <dl class={isLarge ? 'doc read' : 'doc'}>
      {parts.map(part => [
        <dt key={`${part.field} name`}>{part.field}</dt>,
        <dd key={part.field}>
          <Spans spans={part.spans} isText={part.isText} hasWeights={hasWeights} />
        </dd>
      ])}
    </dl>
  )
}

/** The spans of one field: running text, or features with dots between. */
export function Spans(props: {spans: readonly TextSpan[]; isText: boolean; hasWeights?: boolean}) {
  const {spans, isText, hasWeights = false} = props
  return (
    <>
      {spans.map((span, at) => {
        const shown = <Span span={span} hasWeights={hasWeights} />
        return isText ? (
          <span key={at}>{shown}</span>
        ) : (
          [
            <span class="t" key={at}>
              {shown}
            </span>,
            ' '
          ]
        )
      })}
    </>
  )
}

function Span({span, hasWeights}: {span: TextSpan; hasWeights: boolean}) {
  const {text, kind, feature, concepts = [], weight = 0} = span
  if (kind === 'plain') return <>{text}</>
  if (kind === 'dropped') return <s class="dropped">{text}</s>
  const step = STEPS.filter(least => Math.abs(weight) >= least).length
  const look = [
    kind === 'anchor' && 'anchor',
    span.isNegated && 'negated',
    step > 0 && `${weight > 0 ? 'for' : 'against'} w${step}`
  ].filter(Boolean)
  return (
    <>
      <span class={look.join(' ') || undefined} data-feature={feature}>
        {text}
      </span>
      {kind === 'anchor' && concepts.length > 0 ? <span class="anchor-of"> {concepts.join(', ')}</span> : null}
      {hasWeights && step > 0 ? (
        <span class="weight">{`${weight > 0 ? '+' : '\u2212'}${Math.abs(weight).toFixed(1)}`}</span>
      ) : null}
    </>
  )
}
