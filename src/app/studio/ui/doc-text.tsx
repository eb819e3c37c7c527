import {namedFeature, type TextPart, type TextSpan} from '../../session/index.ts'

/** Weights of less than the first say nothing; from the others on, the underline is thicker. */
const STEPS = [0.25, 0.7, 1.5, 3]

/** What the words of a document became: anchors boxed, words underlined by weight, negated and dropped words marked. */
export function DocText({parts, isLarge = false}: {parts: readonly TextPart[]; isLarge?: boolean}) {
  return (
    <dl class={isLarge ? 'doc read' : 'doc'}>
      {featureGroups(parts).map(({title, field, isText, spans}) => [
        <dt key={`${field} ${title} name`}>{title}</dt>,
        <dd
          key={`${field} ${title}`}
          class={isText ? 'prose' : undefined}
          data-field={field}
          data-prose={isText ? '' : undefined}
        >
          <Spans spans={spans} isText={isText} isGrouped />
        </dd>
      ])}
    </dl>
  )
}

/** The beginning of a document, for lists. Anchors of other concepts than the one at hand are words like others. */
export function Snippet({parts, concept}: {parts: readonly TextPart[]; concept: string | undefined}) {
  const isOther = ({kind, concepts}: TextSpan) =>
    kind === 'anchor' && concept !== undefined && concepts?.includes(concept) !== true
  return (
    <span class="snippet">
      {parts.map(({field, isText, spans}) => [
        <span key={field} class="part" data-field={field} data-prose={isText ? '' : undefined}>
          <Spans spans={spans.map(span => (isOther(span) ? {...span, kind: 'word'} : span))} isText={isText} />
        </span>,
        ' '
      ])}
    </span>
  )
}

interface SpansProps {
  readonly spans: readonly TextSpan[]
  readonly isText: boolean
  /** Whether the kind of the features stands above them. */
  readonly isGrouped?: boolean
}

/** The spans of one field: running text, or features with dots between. */
export function Spans({spans, isText, isGrouped = false}: SpansProps) {
  return (
    <>
      {spans.map((span, at) =>
        isText ? (
          <Span key={at} span={span} />
        ) : (
          [
            <span class="t" key={at}>
              <Span span={named(span, isGrouped)} />
            </span>,
            ' '
          ]
        )
      )}
    </>
  )
}

/** Names as short as `sex:m` say nothing without their kind. */
const SHORT = 3

/** A feature by its name alone; its kind stands above it, or is of no matter in a list. */
function named(span: TextSpan, isGrouped: boolean): TextSpan {
  const {group, name, isNegated} = namedFeature(span.text)
  if (isNegated) return {...span, text: name, isNegated}
  return {...span, text: group !== undefined && !isGrouped && name.length < SHORT ? `${group} ${name}` : name}
}

function Span({span: {text, kind, feature, isNegated, concepts = [], weight = 0}}: {span: TextSpan}) {
  if (kind === 'plain') return <>{text}</>
  const isDropped = kind === 'dropped'
  const step = isDropped ? 0 : STEPS.filter(least => Math.abs(weight) >= least).length
  const side = weight > 0 ? 'for' : 'against'
  const look = [kind !== 'word' && kind, isNegated && 'negated', step > 0 && `${side} w${step}`].filter(Boolean)
  const Word = isDropped ? 's' : 'span'
  // An anchor that is the name of its concept needs no other.
  const isNamed = kind === 'anchor' && concepts.join(', ').toLowerCase() !== text.toLowerCase()
  return (
    <>
      <Word class={look.join(' ') || undefined} data-feature={isDropped ? undefined : feature}>
        {text}
      </Word>
      {isNamed ? <span class="anchor-of"> {concepts.join(', ')}</span> : null}
      {step > 0 ? <span class="weight">{`${weight > 0 ? '+' : '\u2212'}${Math.abs(weight).toFixed(1)}`}</span> : null}
    </>
  )
}

const NEGATED = 'negated'

/** Ready-made features under what their names begin with: those without, then negated ones, then each kind as it first occurs. */
export function featureGroups(parts: readonly TextPart[]): (TextPart & {readonly title: string})[] {
  return parts.flatMap(part => {
    if (part.isText) return [{...part, title: part.field}]
    const groups = new Map<string, TextSpan[]>([part.field, NEGATED].map(title => [title, []]))
    for (const span of part.spans) {
      const {group = part.field, isNegated} = namedFeature(span.text)
      const title = isNegated ? NEGATED : group
      groups.set(title, [...(groups.get(title) ?? []), span])
    }
    return [...groups].flatMap(([title, spans]) => (spans.length === 0 ? [] : [{...part, title, spans}]))
  })
}
