import type {Model} from '../../learn/model/index.ts'
import type {Diagnosis} from '../advice/index.ts'
import {type Evaluation, whereBeaten} from '../evaluation/index.ts'
import type {CertificateFacts, NoiseFacts} from './certificate-facts.ts'
import type {ConceptFacts} from './concept-facts.ts'
import {type HtmlPart, html, type Markup} from './html.ts'
import {countText, listText, shareText, wholeText} from './report-words.ts'

/** What the first section is written from. */
export interface SummaryInput {
  readonly model: Model
  readonly certificate: CertificateFacts
  readonly concepts: readonly ConceptFacts[]
  readonly diagnosis: Diagnosis | undefined
  readonly evaluation: Evaluation | undefined
}

/** The whole report in a few plain sentences, and what to be careful with. */
export function summaryHtml(input: SummaryInput): Markup {
  const cautions = cautionsOf(input)
  return html`${tiles(input)}
<p>A concept is hidden: nobody wrote it down. It shows itself by its <b>anchor</b>, a word or code that hardly occurs without it, and by
other words that it switches on. From how anchors and words occur together, the model knows how common each concept is,
which words speak for it, and which concepts go together. For a new document it gives the probability of every concept.</p>
<p>${ratesSentence(input.certificate.noise, input.concepts)} ${wordSentence(input.model)} ${judgedSentence(input.evaluation)}</p>
<h3>Be careful with</h3>
${
  cautions.length === 0
    ? html`<p>Nothing stands out.</p>`
    : html`<ul class="cautions">
${cautions.map(caution => html`<li>${caution}</li>\n`)}</ul>`
}`
}

/** "A model of 23 hidden concepts, learned from 20,000 documents." */
export function leadText({model}: Pick<SummaryInput, 'model'>): string {
  const {documents} = model.options
  const from = typeof documents === 'number' ? `, learned from ${countText(documents, 'document')}` : ''
  return `A model of ${countText(model.concepts.length, 'hidden concept')}${from}, with the words that speak for them and how they go together.`
}

function tiles({model, concepts}: SummaryInput): Markup {
  const {documents} = model.options
  const links = model.network.parents.reduce((sum, parents) => sum + parents.length, 0)
  const all: [number, string][] = [
    ...(typeof documents === 'number' ? [[documents, 'documents learned from'] satisfies [number, string]] : []),
    [concepts.length, concepts.length === 1 ? 'concept' : 'concepts'],
    [model.lexicon.words.length, 'words'],
    [links, links === 1 ? 'link between concepts' : 'links between concepts']
  ]
  return html`<ul class="tiles">
${all.map(([value, what]) => html`<li><b>${wholeText(value)}</b> ${what}</li>\n`)}</ul>`
}

function ratesSentence(noise: NoiseFacts | undefined, concepts: readonly ConceptFacts[]): string {
  const what = 'How often each anchor fires with and without its concept'
  switch (noise?.method) {
    case undefined:
      return `${what} is part of the model, which does not say where it is from.`
    case 'given':
      return `${what} was given in the anchors file.`
    case 'labels':
      return `${what} was estimated from ${countText(noise.labelledCount, 'labelled document')}.`
    case 'pair':
      return `${what} was estimated without labels, from anchors that have several features.`
    case 'positive-only':
    case 'irreducible':
      return `${what} was estimated without labels, from the words that go with the anchors.`
    default: {
      const guesses = concepts.filter(({isGuess}) => isGuess).length
      const labelled = noise?.labelledCount ?? 0
      const from = labelled > 0 ? `, ${countText(labelled, 'labelled document')} among them` : ', without any label'
      const guessed = guesses === 0 ? '' : `; for ${guesses} of ${countText(concepts.length, 'concept')} it is a guess`
      return `${what} was put together from all that tells it${from}${guessed}.`
    }
  }
}

function wordSentence({wordModel}: Model): string {
  if (wordModel.kind === 'noisy-or') return 'Predictions are made by the very links that the concept cards show.'
  return `In predictions each word moves the odds of a concept by its own factor; a concept is best reported from a probability of ${shareText(wordModel.threshold)} on.`
}

function judgedSentence(evaluation: Evaluation | undefined): string {
  if (evaluation === undefined) return ''
  const {documents, tagging} = evaluation
  return `On ${countText(documents, 'document')} with known tags its F1 is ${tagging.atThreshold.microF1.toFixed(2)}, its average precision ${tagging.averagePrecision.toFixed(2)}.`
}

function cautionsOf({model, certificate, concepts, diagnosis, evaluation}: SummaryInput): HtmlPart[] {
  const {noise, moments, structure} = certificate
  const guessed = concepts.filter(({isGuess}) => isGuess)
  const apart = concepts.filter(({name}) => (noise?.concepts.get(name)?.disagreement ?? 0) > 2)
  const clipped = concepts.filter(({name}) => noise?.clipped.includes(name))
  const doubtful = concepts.filter(({precision}) => precision.value < 0.5)
  const wordless = concepts.filter(({words}) => words.length === 0)
  const names = new Set(concepts.map(({name}) => name))
  const leftOut = [...new Set(model.lexicon.skipped.map(({concept}) => concept))].filter(name => !names.has(name))
  const when = (holds: boolean, caution: HtmlPart) => (holds ? [caution] : [])
  return [
    ...when(
      guessed.length > 0,
      html`The rates of ${guessed.length === concepts.length ? `all ${countText(concepts.length, 'concept')}` : some(guessed)} are guesses, good to a factor of 2.5 at best, and so are the prevalences. Label a hundred documents (<code>adfa label</code>) and fit again.`
    ),
    ...when(apart.length > 0, html`The estimates of the rates of ${some(apart)} disagree with each other.`),
    ...when(
      clipped.length > 0,
      html`The anchors of ${some(clipped)} do not fire as often as their rates say they must.`
    ),
    ...when(
      doubtful.length > 0,
      html`Where the anchors of ${some(doubtful)} fire, the concept is more often absent than present.`
    ),
    ...when(
      wordless.length > 0,
      html`No word surely speaks for ${some(wordless)}: only anchors and neighbours tell of them.`
    ),
    ...when(leftOut.length > 0, `Left out, because an anchor or its rates cannot work: ${firstFew(leftOut)}.`),
    ...findingCautions(diagnosis),
    ...when(
      moments !== undefined && moments.status !== 'optimal',
      html`How concepts occur together was not computed to the end; see <a href="#certificates">what is proven</a>.`
    ),
    ...when(
      structure?.status === 'heuristic' || structure?.status === 'stopped',
      html`A better network than this one may exist; see <a href="#certificates">what is proven</a>.`
    ),
    ...evaluationCautions(evaluation)
  ]
}

function findingCautions(diagnosis: Diagnosis | undefined): HtmlPart[] {
  if (diagnosis === undefined)
    return [html`The anchors were not examined for this report (<code>--counts FILE</code> does it).`]
  const count = (severity: string) => diagnosis.findings.filter(finding => finding.severity === severity).length
  const parts = [
    count('fault') === 0 ? '' : countText(count('fault'), 'fault'),
    count('warning') === 0 ? '' : countText(count('warning'), 'warning')
  ].filter(part => part !== '')
  if (parts.length === 0) return []
  return [html`The doctor has <a href="#doctor">${listText(parts)}</a> about the anchors.`]
}

function evaluationCautions(evaluation: Evaluation | undefined): HtmlPart[] {
  if (evaluation === undefined)
    return [html`Nothing here was compared with true tags (<code>--data FILE</code> with tagged documents does it).`]
  return whereBeaten(evaluation).map(
    ({name, columns}) =>
      html`${name === 'noisy-or' ? 'The same model, read by its noisy-or links,' : `The simpler method “${name}”`} does better in ${listText(columns)}; see <a href="#evaluation">the evaluation</a>.`
  )
}

/** A few by name, with links, the rest counted. */
function some(concepts: readonly ConceptFacts[]): Markup {
  const shown = concepts.length > 6 ? concepts.slice(0, 4) : concepts
  const rest = concepts.length - shown.length
  const between = (at: number) => (at === 0 ? '' : at === shown.length - 1 && rest === 0 ? ' and ' : ', ')
  return html`${shown.map(({id, name}, at) => html`${between(at)}<a href="#${id}">${name}</a>`)}${rest > 0 ? ` and ${rest} others` : ''}`
}

function firstFew(names: readonly string[]): string {
  return names.length > 6 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} others` : listText(names)
}
