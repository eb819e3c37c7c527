import type {Model} from '../../learn/model/index.ts'
import type {CertificateFacts, LoadingFacts, MomentFacts, NoiseFacts, StructureFacts} from './certificate-facts.ts'
import {type HtmlPart, html, htmlTable, type Markup} from './html.ts'
import {countText, shareText, wholeText} from './report-words.ts'

type Row = readonly [stage: string, result: HtmlPart, meaning: string]

/** How far each step of the learning can be trusted, with a plain sentence on what that means. */
export function certificatesHtml(model: Model, facts: CertificateFacts): Markup {
  const {noise, moments, structure, loadings, intervals, refinement, tables} = facts
  const rows: Row[] = [
    ...(tables === undefined
      ? []
      : [
          [
            'released tables',
            tables,
            'No record was seen: sites released how often few anchors and words occur together, and the rest was filled in as if independent.'
          ] satisfies Row
        ]),
    ...(noise === undefined ? [] : [noiseRow(noise)]),
    ...(moments === undefined ? [] : [momentRow(moments)]),
    ...(structure === undefined ? [] : [structureRow(structure)]),
    ...(loadings === undefined ? [] : [loadingRow(loadings)]),
    wordRow(model),
    ...(refinement === undefined
      ? []
      : [
          [
            'refinement',
            `${countText(refinement.steps, 'step')} on ${countText(refinement.documents, 'document')}`,
            'Words were learned further where that explained held-out anchors better, and no further.'
          ] satisfies Row
        ]),
    ...(intervals === undefined
      ? []
      : [
          [
            'intervals',
            `${shareText(intervals.level)}, from ${countText(intervals.replicates - intervals.refused, 'resampling')}`,
            `The model was fitted again to documents drawn anew; ${shareText(intervals.level)} of the results lie inside.${intervals.refused > 0 ? ` ${countText(intervals.refused, 'resampling')} could not be fitted, so that intervals are too narrow.` : ''}`
          ] satisfies Row
        ]),
    ['seed', String(model.seed), 'The same documents, options and seed give this very model again.']
  ]
  return htmlTable({
    caption: 'What each step of the learning reached, and what that means.',
    head: ['step', 'result', 'in plain words'],
    rows
  })
}

function noiseRow({method, labelledCount, clipped}: NoiseFacts): Row {
  const labels = labelledCount > 0 ? `, ${countText(labelledCount, 'labelled document')}` : ''
  const fit =
    clipped.length === 0
      ? ''
      : ` ${countText(clipped.length, 'anchor')} fire so rarely or often that the rates cannot hold.`
  return ['rates of the anchors', `${method}${labels}`, `${NOISE.get(method) ?? ''}${fit}`]
}

const NOISE: ReadonlyMap<string, string> = new Map([
  ['given', 'Taken from the anchors file as they stand: everything rests on them.'],
  ['labels', 'Counted in labelled documents.'],
  ['pair', 'From anchors with several features that err independently.'],
  ['positive-only', 'From how well words predict the anchor.'],
  ['irreducible', 'From documents that surely have, or surely lack, the concept.'],
  ['auto', 'Every estimate that the documents allow, weighed by how sure it is.']
])

function momentRow({status, objective, gap, heuristicGap, steps}: MomentFacts): Row {
  const reached =
    heuristicGap === undefined ? '' : `; searched gap ${heuristicGap.toExponential(1)}, which proves nothing`
  const result = `${status}: objective ${objective.toPrecision(4)}, proven gap ${gap.toExponential(1)}, ${countText(steps, 'step')}${reached}`
  const meaning =
    status === 'optimal'
      ? 'How often concepts occur alone and in pairs was recovered as well as can be, and that is proven.'
      : 'How often concepts occur alone and in pairs was recovered, but stopped before the best was proven; the gap says how far it can be at most.'
  return ['concepts together (moments)', result, meaning]
}

function structureRow({status, method, score, gap}: StructureFacts): Row {
  const parts = [
    method,
    score === undefined ? '' : `score ${wholeText(score)}`,
    gap === undefined || gap === 0 ? '' : `gap at most ${gap.toPrecision(3)}`
  ]
  return ['network', `${status} (${parts.filter(part => part !== '').join(', ')})`, STRUCTURE.get(status) ?? '']
}

const STRUCTURE: ReadonlyMap<string, string> = new Map([
  ['optimal', 'No network of the kind that was allowed explains the concepts better.'],
  ['heuristic', 'Found by hill climbing: a better network may exist.'],
  ['stopped', 'The search was stopped: a better network may exist.'],
  ['tested', 'Links are what tests of independence could not explain away.'],
  ['known', 'The network was given, or has no links.']
])

function loadingRow({estimator, failures, failuresAboveOne, words, leaksAtFloor, kept, sigmas}: LoadingFacts): Row {
  const floor = `${wholeText(leaksAtFloor)} of ${countText(words, 'leak')} at the floor`
  if (kept === undefined)
    return [
      'words',
      `${estimator}: ${wholeText(failuresAboveOne)} of ${wholeText(failures)} set to “no effect”; ${floor}`,
      'Words that seem rarer with a concept cannot be said by such a model: they count as having nothing to do with it.'
    ]
  return [
    'words',
    `${wholeText(kept)} of ${countText(failures, 'pair')} of concept and word kept; ${floor}`,
    `A word speaks for a concept only where that is ${sigmas ?? ''} standard errors from chance, so that what is shown is hardly chance.`
  ]
}

function wordRow({wordModel}: Model): Row {
  if (wordModel.kind === 'noisy-or')
    return ['predictions', 'noisy-or links', 'Each concept switches words on, independently of the others.']
  const {source, documents, expectedF1} = wordModel.certificate
  return [
    'predictions',
    `log-odds from ${source === 'counts' ? 'counts' : countText(documents, 'document')}; expected F1 ${expectedF1.toFixed(2)} from ${shareText(wordModel.threshold)} on`,
    'Each word adds to the odds of a concept. The expected F1 is what the model believes of itself, without any tag.'
  ]
}

/** How the model was made, as it says itself. */
export function settingsHtml(model: Model, provenance: readonly (readonly [what: string, value: string])[]): Markup {
  const {text, filter} = model.lexicon
  const reading: [string, unknown][] = [
    ...Object.entries(text),
    ...(filter === undefined ? [] : Object.entries({minTags: filter.minTags}))
  ]
  const rows = (entries: readonly (readonly [string, unknown])[]) =>
    entries
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, html`<code>${shown(value)}</code>`])
  return html`${htmlTable({caption: 'Where this report is from.', head: ['what', 'value'], rows: rows(provenance)})}
${htmlTable({caption: 'How the model was fitted.', head: ['option', 'value'], rows: rows([...Object.entries(model.options)])})}
${htmlTable({caption: 'How documents were read.', head: ['option', 'value'], rows: rows(reading)})}`
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return 'none'
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return value.join(', ')
  return JSON.stringify(value)
}
