import {networkEdges} from '../../base/network/index.ts'
import {counted, grouped, listed, nameList} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Diagnosis} from '../../use/advice/index.ts'
import type {Evaluation} from '../../use/evaluation/index.ts'
import type {CertificateFacts, ConceptFacts, NoiseFacts} from '../../use/facts/index.ts'
import {tagRule} from '../../use/prediction/index.ts'
import {type Block, code, heading, type Inline, kept, paragraph, say} from './blocks.ts'
import {clearRivals, learnedText} from './evaluation.ts'
import {findingCounts} from './findings.ts'
import {ruleText} from './rule.ts'

export interface SummaryInput {
  readonly model: Model
  readonly certificate: CertificateFacts
  readonly concepts: readonly ConceptFacts[]
  readonly diagnosis: Diagnosis | undefined
  readonly evaluation: Evaluation | undefined
  readonly learnedShare: number | undefined
}

/** The whole report in a few plain sentences, and its cautions. */
export function summaryBlocks(input: SummaryInput): Block[] {
  const {model, concepts} = input
  const cautions = cautionsOf(input)
  const isUnknown = concepts.every(({rates}) => rates === undefined)
  const learns = isUnknown ? 'which words predict each concept' : 'how common each concept is, which words predict it'
  return [
    {kind: 'list', look: 'tiles', items: tiles(input)},
    paragraph(
      say`A concept is hidden: no document states it. It shows in its ${{text: 'anchor', look: 'strong'}}, a word or code that rarely occurs without it, and in other words that it switches on. From how often anchors and words occur together, the model learns ${learns}, and which concepts occur together. For a new document it gives ${isUnknown ? 'a score for' : 'the probability of'} every concept.`
    ),
    paragraph(wordSentence(model)),
    heading('Be careful with'),
    cautions.length === 0 ? paragraph('Nothing stands out.') : {kind: 'list', items: cautions}
  ]
}

export function leadText({concepts}: Model): string {
  return `A model of ${counted(concepts.length, 'hidden concept')}: the words that predict them and how they occur together.`
}

function tiles({model, concepts}: SummaryInput): Inline[] {
  const {documents} = model.options
  const edges = networkEdges(model.network).length
  const all: (readonly [value: number, what: string])[] = [
    ...(typeof documents === 'number' ? [[documents, 'documents learned from'] as const] : []),
    [concepts.length, concepts.length === 1 ? 'concept' : 'concepts'],
    [model.lexicon.words.length, 'words'],
    [edges, edges === 1 ? 'edge between concepts' : 'edges between concepts']
  ]
  return all.map(([value, what]) => [{text: grouped(value), look: 'strong'}, ` ${what}`])
}

function wordSentence(model: Model): string {
  const {wordModel, lexicon} = model
  const how =
    wordModel.kind === 'noisy-or'
      ? 'Predictions use the links that the concept cards show'
      : 'In predictions each word multiplies the odds of a concept by its own factor'
  if (lexicon.anchors.every(({exclusive}) => exclusive !== undefined))
    return `${how}; the most probable class of each group is reported.`
  return `${how}; a concept is a tag ${ruleText(model, tagRule(model))}.`
}

function cautionsOf({model, certificate, concepts, diagnosis, evaluation, learnedShare}: SummaryInput): Inline[] {
  const {moments, structure, noise} = certificate
  const proven: Inline = [' see ', {text: 'what is proven', to: '#certificates'}, '.']
  const names = new Set(concepts.map(({name}) => name))
  const leftOut = new Set(model.lexicon.skipped.flatMap(({concept}) => (names.has(concept) ? [] : concept)))
  const serious = findingCounts(diagnosis?.findings.filter(({severity}) => severity !== 'note') ?? [])
  return kept<Inline>([
    ...conceptCautions(concepts, noise),
    leftOut.size > 0 && `Left out, because an anchor or its rates cannot work: ${nameList([...leftOut], 6)}.`,
    diagnosis === undefined &&
      say`The anchors were not examined for this report (${code('adfa report --counts FILE')} examines them).`,
    serious !== '' && say`The doctor reports ${{text: serious, to: '#doctor'}} about the anchors.`,
    moments !== undefined &&
      !['optimal', 'tolerance'].includes(moments.status) && [
        'The computation of how concepts occur together stopped early;',
        proven
      ],
    (structure?.status === 'heuristic' || structure?.status === 'stopped') && [
      'A better network than this one may exist;',
      proven
    ],
    evaluation === undefined &&
      say`Nothing here was compared with true tags (${code('adfa report --data FILE')} with tagged documents compares it).`,
    ...(evaluation === undefined ? [] : clearRivals(evaluation)).map(({name, columns}) => {
      const who = name === 'noisy-or' ? 'The same model with its noisy-or links' : `The simpler method “${name}”`
      return say`${who} does better in ${listed(columns)}; see ${{text: 'the evaluation', to: '#evaluation'}}.`
    }),
    learnedShare !== undefined && learnedShare > 0 && learnedText(learnedShare)
  ])
}

/** One sentence for each thing that may be wrong with some concepts, naming them. */
function conceptCautions(concepts: readonly ConceptFacts[], noise: NoiseFacts | undefined): (Inline | false)[] {
  const caution = (applies: (concept: ConceptFacts) => boolean | undefined, text: (which: Inline) => Inline) => {
    const found = concepts.filter(applies)
    return found.length > 0 && text(found.length === concepts.length ? 'all concepts' : some(found))
  }
  return [
    caution(
      ({rates}) => rates === undefined,
      which =>
        say`Without labels the rates and prevalences of ${which} are unknown, and probabilities are scores that only rank documents. Label 30 to 100 documents (${code('adfa label')}) and fit again.`
    ),
    caution(
      ({name}) => noise?.clipped.includes(name),
      which => say`The anchors of ${which} fire more or less often than their rates allow.`
    ),
    caution(
      ({rates}) => rates !== undefined && rates.precision.value < 0.5,
      which => say`Where the anchors of ${which} fire, the concept is more often absent than present.`
    ),
    caution(
      ({words}) => words.length === 0,
      which => say`No word clearly predicts ${which}: the evidence is anchors and neighbours only.`
    )
  ]
}

/** A few by name, with links, and how many more. */
function some(concepts: readonly ConceptFacts[]): Inline {
  const shown = concepts.length > 6 ? concepts.slice(0, 4) : concepts
  const rest = concepts.length - shown.length
  const between = (at: number) => (at === 0 ? '' : at === shown.length - 1 && rest === 0 ? ' and ' : ', ')
  return [
    ...shown.map(({name}, at) => [between(at), {text: name, to: {concept: name}}]),
    rest > 0 ? ` and ${rest} others` : ''
  ]
}
