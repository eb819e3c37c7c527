import {namedFeature, type TextPart, type TextSpan} from '../../session/index.ts'

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
          <Spans spans={part.spans} isText={part.isText} hasWeights={hasWeights} isGrouped />
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

/** The spans of one field: running text, or features with dots between. */
export function Spans(props: {
  readonly spans: readonly TextSpan[]
  readonly isText: boolean
  readonly hasWeights?: boolean
  /** Whether the kind of the features stands above them. */
  readonly isGrouped?: boolean
}) {
  const {spans, isText, hasWeights = false, isGrouped = false} = props
  return (
    <>
      {spans.map((span, at) =>
        isText ? (
          <Span key={at} span={span} hasWeights={hasWeights} />
        ) : (
          [
            <span class="t" key={at}>
              <Span span={named(span, isGrouped)} hasWeights={hasWeights} />
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
  // An anchor that is the name of its concept needs no other.
  const isNamed = kind === 'anchor' && concepts.join(', ').toLowerCase() !== text.toLowerCase()
  return (
    <>
      <Word class={look.join(' ') || undefined} data-feature={kind === 'dropped' ? undefined : feature}>
        {text}
      </Word>
      {isNamed ? <span class="anchor-of"> {concepts.join(', ')}</span> : null}
      {hasWeights && step > 0 ? (
        <span class="weight">{`${weight > 0 ? '+' : '\u2212'}${Math.abs(weight).toFixed(1)}`}</span>
      ) : null}
    </>
  )
}

/** A part of a document as it is shown, under a title of its own. */
interface TitledPart extends TextPart {
  readonly title: string
}

const NEGATED = 'negated'

/** Ready-made features under what their names begin with: those without, then negated ones, then each kind as it first occurs. */
export function featureGroups(parts: readonly TextPart[]): TitledPart[] {
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
