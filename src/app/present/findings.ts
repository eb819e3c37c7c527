/** What the doctor of anchors says: the sentences of findings, and its blocks for terminals, reports and the studio. */
import {clamp} from '../../base/numeric/index.ts'
import {counted, grouped, percent} from '../../base/text/index.ts'
import {MIN_PRECISION} from '../../learn/noise/index.ts'
import {
  type AnchorFacts,
  type Diagnosis,
  type Finding,
  type Severity,
  severities,
  type UncoveredGroup
} from '../../use/advice/index.ts'
import {
  type Block,
  code,
  codes,
  column,
  figure,
  heading,
  type Inline,
  kept,
  paragraph,
  plainText,
  say,
  tableOf
} from './blocks.ts'
import {intervalText} from './rates.ts'

/** What a remedy needs, by whatever name a command or a page has it. */
type RemedyTool = 'suggestions' | 'forms' | 'negation'

export type RemedyPlaces = Readonly<Partial<Record<RemedyTool, string>>>

/** What is wrong with the anchor of the finding's concept, and what to do about it: parts of a sentence. */
export function findingText({
  kind,
  concept,
  evidence: of
}: Finding): readonly [message: Inline, remedy: Inline, tool?: RemedyTool] {
  switch (kind) {
    case 'shared':
      return [
        say`${codes(of.features)} ${of.features.length === 1 ? 'is a member' : 'are members'} of the anchor of "${of.others.join('", "')}" too; ${keptText(of.kept)}`,
        'a member belongs to one concept alone: choose another, or merge the concepts'
      ]
    case 'unusable':
      return leftOut(of)
    case 'dead':
    case 'rare':
      if ('reason' in of) return leftOut(of)
      return [
        say`its anchor ${codes(of.features)} fires in ${counted(of.documents, 'document')} of ${grouped(of.of)}; with fewer than ${of.least} little can be learned`,
        `check its spelling and field${of.hasVeto ? ' and its "not"' : ''}, remove the concept, or add words`,
        'suggestions'
      ]
    case 'always':
      if ('reason' in of) return leftOut(of)
      return [
        `its anchor fires in ${percent(of.share)} of the documents, so it carries little information about the concept`,
        'choose rarer words, or veto the common uses with "not"; check for words that are mostly negated ("no effusion"), and for sources of votes that are often wrong'
      ]
    case 'dead-member':
      return [
        say`${codes(of.features)} ${of.features.length === 1 ? 'never occurs' : 'never occur'}; the rest of its anchor does`,
        of.hint ?? 'check the spelling, or remove it'
      ]
    case 'together':
      return of.isSame
        ? [
            `its anchor and that of "${of.other}" fire in the same documents: ${counted(of.together, 'document')} of ${of.documents} and ${of.otherDocuments}`,
            'merge the two concepts, or give each words of its own'
          ]
        : [
            `its anchor hardly fires without that of "${of.other}": ${percent(of.together / of.documents)} of its ${counted(of.documents, 'document')} have both`,
            `fine if "${of.other}" is part of every "${concept}"; otherwise give it words of its own, or leave out the members that fire in both`
          ]
    case 'nested':
      return [
        say`its anchor ${codes(of.features)} is part of ${codes(of.phrases)} of "${of.other}", and does not fire where that occurs`,
        `if "${of.other}" is a kind of "${concept}", their relation will be underestimated; otherwise this is harmless`
      ]
    case 'forms': {
      const shown = of.features.slice(0, SHOWN_FORMS).map((feature, at) => {
        return say`${at > 0 ? ', ' : ''}${code(feature)} ${occurrenceText(of.documents[at], of.isSampled)}`
      })
      const rest = of.features.length - shown.length
      return [
        say`other forms of its anchor occur: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`,
        'add those that mean the same',
        'forms'
      ]
    }
    case 'negated':
      return [
        say`in ${grouped(of.negated)} of the ${counted(of.documents, 'document')} where its anchor fires (${percent(of.negated / of.documents)}) its words are negated: ${codes(of.examples)}`,
        'if such documents do not have the concept, read negation',
        'negation'
      ]
    case 'fires-for-another': {
      const also = of.also.length > 0 ? `; the same with ${of.also.map(name => `"${name}"`).join(', ')}` : ''
      return [
        say`its anchor seems to fire for "${of.other}" too: of the ${counted(of.together, 'document')} where both anchors fire, about ${percent(Math.min(1, of.absentShare))} lack the words typical of "${concept}" (${codes(of.words)})${also}`,
        `read some documents with both; veto the words of "${of.other}" with "not", or choose words that do not occur with it`
      ]
    }
    case 'foreign-member': {
      // Noise may exceed either end.
      const [foreign, own] = [of.foreignLikeness, of.ownLikeness].map(likeness => percent(clamp(likeness, 0, 1)))
      return [
        say`the words around ${code(of.feature)} are those around ${code(of.otherFeature)} of "${of.other}" (${foreign} alike) rather than those around ${code(of.ownFeature)} of its own anchor (${own})`,
        `if it was meant for "${of.other}", move it there; otherwise read some documents with it, and remove it if it means something else`
      ]
    }
    case 'members-disagree': {
      const [first, second] = of.pair
      const depend = say`${codes(of.rejected)} ${of.rejected.length === 1 ? 'depends' : 'depend'} on one of ${code(first)} and ${code(second)} in a way that the concept does not explain`
      const [one, other] = kept<Inline>([
        of.rejected.length > 0 && depend,
        of.isSpread && 'different pairs of its members give different rates'
      ])
      return [
        say`the members of its anchor do not indicate one concept alone: ${one}${other === undefined ? '' : ['; ', other]}`,
        'fixed phrases and side meanings do this; veto them with "not", or drop the less specific member'
      ]
    }
    case 'weak-member': {
      const share = (documents: number, value: number, [low, high]: readonly [number, number]) =>
        `${percent(value)} of ${counted(documents, 'labelled document')} (${percent(low)} to ${percent(high)})`
      const others = share(of.othersLabelled, of.othersPrecision, of.othersInterval)
      return [
        say`where ${code(of.feature)} alone fires, the concept is present in ${share(of.labelled, of.precision, of.interval)}; where another member fires, in ${others}`,
        'drop this member; move it to "not" if the concept is absent even where other members fire beside it'
      ]
    }
    case 'wrong-labels': {
      const absent = Math.max(1, of.labelled - of.withConcept)
      return [
        of.isUnrelated
          ? `by the labels its anchor fires in ${percent(of.withBoth / of.withConcept)} of the documents that have the concept and in ${percent((of.withAnchor - of.withBoth) / absent)} of those that do not: it does not indicate it`
          : `by the labels only ${percent(of.withBoth / of.withAnchor)} of the documents where its anchor fires have the concept; ${percent(MIN_PRECISION)} or more is usual`,
        'was it swapped with the anchor of another concept? if not, choose narrower words or veto with "not"'
      ]
    }
    case 'refused-rates':
    case 'doubtful-rates':
      return reasonParts(of.reason)
    case 'impossible-rates':
      return [
        `by its rates the anchor fires in ${percent(of.truePositive)} of the documents that have the concept and in ${percent(of.falsePositive)} of those that do not, yet it fires in ${percent(of.share)} of all: no share of documents with the concept fits`,
        'check the rates; was the anchor swapped with another one?'
      ]
    case 'rate-below-word': {
      const [worst, ...others] = of.words
      return [
        say`its anchor fires in ${percent(of.share)} of the ${counted(of.documents, 'document')} with ${code(worst)}, but by its rates in at most ${percent(of.truePositiveAtMost)} of any documents${others.length > 0 ? say` (likewise with ${codes(others)})` : ''}`,
        'the rate is too low, or these belong to the anchor: parts of the same phrase, or its own words in another field; raise the rate or add them to the anchor'
      ]
    }
    case 'residual': {
      const both = `its anchor and that of "${of.other}" fire together`
      const what = of.isTogether ? both : `either its anchor or that of "${of.other}" fires alone`
      return [
        `${what} in ${counted(of.observed, 'document')}; their rates imply ${of.observed > of.expected ? 'at most' : 'at least'} about ${grouped(of.expected)}`,
        'they share words or exclude each other (a longer phrase, a veto, short texts), or a rate is wrong: read documents with both; veto with "not" or correct the rates'
      ]
    }
  }
}

const SHOWN_FORMS = 5

/** "in about 1,200 documents". */
export function occurrenceText(documents: number, isSampled: boolean): string {
  return `in ${isSampled ? 'about ' : ''}${counted(documents, 'document')}`
}

function keptText(kept: 'in part' | 'no'): string {
  return kept === 'no' ? 'the concept is left out' : 'the rest of its anchor is kept'
}

function leftOut({reason, kept}: {readonly reason: string; readonly kept: 'in part' | 'no'}): [Inline, Inline] {
  const [message, remedy] = reasonParts(reason)
  return [`${message}; ${keptText(kept)}`, remedy]
}

/** Counts and fits keep reasons as one text, in which what to do follows the last semicolon. */
function reasonParts(reason: string): [message: string, remedy: string] {
  const cut = reason.lastIndexOf('; ')
  return cut < 0
    ? [reason, 'correct its anchor, give its rates or label documents, or remove the concept']
    : [reason.slice(0, cut), reason.slice(cut + 2)]
}

/** A finding with its sentences, as `adfa doctor --json` gives it. */
export function describeFinding(
  finding: Finding
): Finding & {readonly message: string; readonly remedy: string; readonly tool?: RemedyTool} {
  const [message, remedy, tool] = findingText(finding)
  return {...finding, message: plainText(message), remedy: plainText(remedy), ...(tool && {tool})}
}

/** What to do, and where a command or a page has what that needs. */
export function remedyText(finding: Finding, places: RemedyPlaces): Inline {
  const [, remedy, tool] = findingText(finding)
  const place = tool && places[tool]
  return place === undefined ? remedy : [remedy, ` (${place})`]
}

/** A finding as a line, with the tag of its severity and the name of its concept as far as its place does not say them. */
export function findingLine(
  finding: Finding,
  places: RemedyPlaces,
  {isNamed = false, isTagged = false}: Readonly<Partial<Record<'isNamed' | 'isTagged', boolean>>>
): Inline {
  const {concept, severity} = finding
  const [message] = findingText(finding)
  return [
    isTagged ? say`${{text: severity, look: severity}} ` : '',
    isNamed ? say`${{text: concept, look: 'strong', to: {concept}}}: ` : '',
    message,
    '. ',
    {text: say`What to do: ${remedyText(finding, places)}.`, look: 'quiet'}
  ]
}

const MEANINGS: Readonly<Record<Severity, string>> = {
  fault: 'A fault: the concept cannot be learned.',
  warning: 'A warning: the concept may spoil what is learned; check it.',
  note: 'Good to know.'
}

const COUNTS_ALONE =
  'The check read counts. Checks that need the documents are left out: negated mentions, members that labels show to be weak, and most other forms of words (adfa doctor DOCUMENTS).'

/** All findings about the anchors, worst first, and a table of the anchors. */
export function doctorBlocks(diagnosis: Diagnosis, places: RemedyPlaces): Block[] {
  const {findings, anchors, documentCount, uncovered, fields, labelledCount, readsDocuments} = diagnosis
  const concepts = new Set([...anchors, ...findings].map(({concept}) => concept)).size
  const where = `${counted(concepts, 'concept')} in ${counted(documentCount, 'document')}`
  const labelled = labelledCount === 0 ? '' : ` Up to ${counted(labelledCount, 'document')} are labelled.`
  return kept([
    paragraph(`${where}: ${findingCounts(findings) || 'no findings'}.${labelled}`),
    !readsDocuments && paragraph(COUNTS_ALONE, 'quiet'),
    ...severities.flatMap((severity): Block[] => {
      const found = findings.filter(finding => finding.severity === severity)
      if (found.length === 0) return []
      const items = found.map(finding => findingLine(finding, places, {isNamed: true}))
      return [heading(counted(found.length, severity)), paragraph(MEANINGS[severity], 'quiet'), {kind: 'list', items}]
    }),
    ...uncovered.map(group => paragraph(uncoveredText(group))),
    anchorTable(diagnosis),
    ...fieldBlocks(fields),
    labelledCount === 0 && paragraph(NO_LABELS)
  ])
}

const NO_LABELS =
  'No labels were read; only labels reveal imprecise anchors and members, and anchors listed under the wrong concept. Label 50 to 100 documents ' +
  '(adfa label) and give --labels FILE, or --label-share 1 to check against the tags of the documents. A fit without labels predicts ' +
  'better if you give prevalences by experience, each with a precision, in the anchors file; 30 labels help more.'

/** Documents that no anchor covers. */
export function uncoveredText({words: [first, ...others], documents, ofDocuments}: UncoveredGroup): Inline {
  const typical = others.length === 0 ? '' : say`; typical of them: ${codes(others)}`
  return say`No anchor fires in ${grouped(documents)} of the ${counted(ofDocuments, 'document')} looked at with ${code(first)}${typical}. If they have one of your concepts, give its anchor such a word.`
}

function anchorTable({anchors, findings}: Diagnosis): Block {
  return tableOf(anchors, [
    column('concept', ({concept}) => ({text: concept, to: {concept}})),
    figure('documents', ({documents}) => grouped(documents)),
    figure('share', ({share}) => percent(share)),
    figure('members', ({members}) => members.length),
    anchors.some(({negated}) => negated !== undefined) && figure('negated', ({negated}) => negatedText(negated)),
    column('most often with', ({overlaps: [first]}) => (first ? `${first.concept} ${percent(first.share)}` : '-')),
    column('findings', ({concept}) => findingCounts(findings.filter(finding => finding.concept === concept)) || '.')
  ])
}

function negatedText(hits: AnchorFacts['negated']): string {
  return hits === undefined ? '.' : `${grouped(hits.negated)} (${percent(hits.negated / hits.documents)})`
}

/** "1 fault, 2 notes"; nothing where there are none. */
export function findingCounts(findings: readonly Pick<Finding, 'severity'>[]): string {
  const counts = severities.map(severity => {
    const count = findings.filter(finding => finding.severity === severity).length
    return count > 0 && counted(count, severity)
  })
  return kept(counts).join(', ')
}

/** How precise the members in each text field are by themselves, where there are several. */
function fieldBlocks(fields: Diagnosis['fields']): Block[] {
  if (fields.length < 2) return []
  const weak = fields.filter(({isWeak}) => isWeak).map(({field}) => code(field))
  return [
    tableOf(fields, [
      column('only members in', ({field}) => field),
      figure('concepts', ({concepts}) => concepts),
      figure('labelled documents', ({alone}) => grouped(alone.documents)),
      figure('precision', ({alone}) => intervalText(alone.precision))
    ]),
    ...weak.map(field =>
      paragraph(
        say`Where only members in ${field} fire, most documents do not have the concept: drop the members in ${field} (with anchors from tags, leave the field out), or those with a warning.`,
        'bad'
      )
    )
  ]
}
