import {networkEdges} from '../../base/network/index.ts'
import {counted, grouped, listed, nameList} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Diagnosis} from '../../use/advice/index.ts'
import {type Evaluation, whereBeaten} from '../../use/evaluation/index.ts'
import type {ConceptFacts} from '../../use/facts/index.ts'
import {type CertificateFacts, labelledText, type NoiseFacts, rateSource} from '../../use/facts/index.ts'
import {tagRule} from '../../use/prediction/index.ts'
import {type Block, heading, type Inline, paragraph} from './blocks.ts'
import {learnedText} from './evaluation.ts'
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
  const {model, certificate, concepts, evaluation} = input
  const cautions = cautionsOf(input)
  const isUnknown = concepts.every(({rates}) => rates === undefined)
  const learns = isUnknown ? 'which words predict each concept' : 'how common each concept is, which words predict it'
  return [
    {kind: 'list', look: 'tiles', items: tiles(input)},
    paragraph([
      'A concept is hidden: no document states it. It shows in its ',
      {text: 'anchor', look: 'strong'},
      ', a word or code that rarely occurs without it, and in other words that it switches on. From how often anchors and words occur together, ',
      `the model learns ${learns}, and which concepts occur together. `,
      `For a new document it gives ${isUnknown ? 'a score for' : 'the probability of'} every concept.`
    ]),
    paragraph(
      [ratesSentence(certificate.noise, concepts), wordSentence(model), judgedSentence(evaluation)].join(' ').trimEnd()
    ),
    heading('Be careful with'),
    cautions.length === 0 ? paragraph('Nothing stands out.') : {kind: 'list', items: cautions}
  ]
}

/** "A model of 23 hidden concepts, learned from 20,000 documents." */
export function leadText(model: Model): string {
  const {documents} = model.options
  const from = typeof documents === 'number' ? `, learned from ${counted(documents, 'document')}` : ''
  return `A model of ${counted(model.concepts.length, 'hidden concept')}${from}: the words that predict them and how they occur together.`
}

function tiles({model, concepts}: SummaryInput): Inline[] {
  const {documents} = model.options
  const edges = networkEdges(model.network).length
  const all: [number, string][] = [
    [concepts.length, concepts.length === 1 ? 'concept' : 'concepts'],
    [model.lexicon.words.length, 'words'],
    [edges, edges === 1 ? 'edge between concepts' : 'edges between concepts']
  ]
  if (typeof documents === 'number') all.unshift([documents, 'documents learned from'])
  return all.map(([value, what]) => [{text: grouped(value), look: 'strong'}, ` ${what}`])
}

const GIVEN = 'given in the anchors file'

function ratesSentence(noise: NoiseFacts | undefined, concepts: readonly ConceptFacts[]): string {
  const what = 'How often each anchor fires with and without its concept'
  if (noise === undefined) return `${what} is part of the model, which does not say where it is from.`
  if (noise.method === 'given') return `${what} was ${GIVEN}.`
  const labelled = labelledText(noise)
  if (noise.method === 'labels') return `${what} was estimated from ${labelled}.`
  if (noise.method !== 'auto') return `${what} was estimated without labels, from ${rateSource(noise.method)}.`
  const guesses = concepts.filter(({rates}) => rates === undefined).length
  if (concepts.every(({sources}) => sources.includes('balance')))
    return `${what} was estimated from the votes for all classes, without any label: it is not measured.`
  if (guesses === 0 && noise.labelledCount === 0) return `${what} was ${GIVEN}.`
  if (guesses === concepts.length) return `${what} is unknown: nobody measured it.`
  const from = noise.labelledCount > 0 ? `estimated from ${labelled}` : GIVEN
  const constant =
    guesses === 0 ? '' : `; for ${grouped(guesses)} of ${counted(concepts.length, 'concept')} it is unknown`
  return `${what} was ${from}${constant}.`
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

function judgedSentence(evaluation: Evaluation | undefined): string {
  if (evaluation === undefined) return ''
  const {documents, tagging} = evaluation
  return `On ${counted(documents, 'document')} with known tags its F1 is ${tagging.atThreshold.microF1.toFixed(2)}, its average precision ${tagging.averagePrecision.toFixed(2)}.`
}

function cautionsOf({model, certificate, concepts, diagnosis, evaluation, learnedShare}: SummaryInput): Inline[] {
  const {moments, structure, noise} = certificate
  const proven: Inline = [' see ', {text: 'what is proven', to: '#certificates'}, '.']
  return [
    ...conceptCautions(concepts, noise),
    ...leftOutCaution(model, concepts),
    ...findingCautions(diagnosis),
    ...(moments !== undefined && !['optimal', 'tolerance'].includes(moments.status)
      ? [['The computation of how concepts occur together stopped early;', proven]]
      : []),
    ...(structure?.status === 'heuristic' || structure?.status === 'stopped'
      ? [['A better network than this one may exist;', proven]]
      : []),
    ...evaluationCautions(evaluation),
    ...(learnedShare ? [learnedText(learnedShare)] : [])
  ]
}

/** "all 5 concepts", "both concepts". */
function allOf(count: number): string {
  return count === 2 ? 'both concepts' : count === 1 ? 'the concept' : `all ${counted(count, 'concept')}`
}

/** One sentence for each thing that may be wrong with some concepts, naming them. */
function conceptCautions(concepts: readonly ConceptFacts[], noise: NoiseFacts | undefined): Inline[] {
  const guessed = concepts.filter(({rates}) => rates === undefined)
  const whose = guessed.length === concepts.length ? allOf(concepts.length) : some(guessed)
  const cautions: [(concept: ConceptFacts) => boolean | undefined, (which: Inline) => Inline][] = [
    [
      ({rates}) => rates === undefined,
      () => [
        'Without labels the rates and prevalences of ',
        whose,
        ' are unknown, and probabilities are scores that only rank documents. Label 30 to 100 documents (',
        {text: 'adfa label', look: 'code'},
        ') and fit again.'
      ]
    ],
    [
      ({name}) => noise?.clipped.includes(name),
      which => ['The anchors of ', which, ' fire more or less often than their rates allow.']
    ],
    [
      ({rates}) => rates !== undefined && rates.precision.value < 0.5,
      which => ['Where the anchors of ', which, ' fire, the concept is more often absent than present.']
    ],
    [
      ({words}) => words.length === 0,
      which => ['No word clearly predicts ', which, ': the evidence is anchors and neighbours only.']
    ]
  ]
  return cautions.flatMap(([applies, caution]) => {
    const found = concepts.filter(applies)
    return found.length === 0 ? [] : [caution(some(found))]
  })
}

function leftOutCaution({lexicon}: Model, concepts: readonly ConceptFacts[]): Inline[] {
  const kept = new Set(concepts.map(({name}) => name))
  const names = [...new Set(lexicon.skipped.map(({concept}) => concept))].filter(name => !kept.has(name))
  if (names.length === 0) return []
  return [`Left out, because an anchor or its rates cannot work: ${nameList(names, 6)}.`]
}

function findingCautions(diagnosis: Diagnosis | undefined): Inline[] {
  if (diagnosis === undefined)
    return [notDone('The anchors were not examined for this report', 'adfa report --counts FILE', 'examines them')]
  const parts = ['fault', 'warning'].flatMap(severity => {
    const count = diagnosis.findings.filter(finding => finding.severity === severity).length
    return count === 0 ? [] : [counted(count, severity)]
  })
  return parts.length === 0
    ? []
    : [['The doctor reports ', {text: listed(parts), to: '#doctor'}, ' about the anchors.']]
}

function evaluationCautions(evaluation: Evaluation | undefined): Inline[] {
  if (evaluation === undefined)
    return [
      notDone(
        'Nothing here was compared with true tags',
        'adfa report --data FILE',
        'with tagged documents compares it'
      )
    ]
  const beaten = whereBeaten(evaluation).filter(({columns}) => columns.length > 0)
  return beaten.map(({name, columns}) => [
    name === 'noisy-or' ? 'The same model with its noisy-or links' : `The simpler method “${name}”`,
    ` does better in ${listed(columns)}; see `,
    {text: 'the evaluation', to: '#evaluation'},
    '.'
  ])
}

function notDone(what: string, command: string, does: string): Inline {
  return [`${what} (`, {text: command, look: 'code'}, ` ${does}).`]
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
