import {networkEdges} from '../../../base/network/index.ts'
import type {FitCertificate} from '../../../learn/fit.ts'
import type {LearnedModel} from '../../../learn/learn.ts'
import type {Model} from '../../../learn/model/index.ts'
import type {SolveStatus} from '../../../learn/polytopes/index.ts'
import {describeTables} from '../../../read/counts/index.ts'
import {noteSkipped} from '../count/count.ts'
import type {Output} from '../output.ts'
import {conceptTree, counted, percent} from '../text.ts'
import {intervalText} from './fit-intervals.ts'
import {refinementText} from './fit-refine.ts'

/** Why the moments are not as close to the best as was asked for. */
const REASONS: Readonly<Record<Exclude<SolveStatus, 'optimal'>, string>> = {
  gap: 'nothing more could be done',
  'step-limit': 'stopped by the limit of steps',
  'time-limit': 'stopped by the time limit',
  cancelled: 'cancelled'
}

/** Say what was learned, how good it is, and how long each stage took. */
export function reportFit(
  model: LearnedModel,
  file: string,
  output: Output,
  seconds: Readonly<Record<string, number>>
): void {
  const {moments, structure, loadings, refinement, intervals, tables} = model.certificate
  output.json({
    file,
    documents: model.options.documents,
    concepts: model.concepts.length,
    words: model.lexicon.words.length,
    seconds,
    noise: model.certificate.noise,
    moments,
    structure: {edges: networkEdges(model.network).map(edge => edge.map(i => model.concepts[i].name)), ...structure},
    loadings,
    wordModel: wordFacts(model),
    ...(intervals && {intervals}),
    ...(tables && {tables}),
    skippedAnchors: model.lexicon.skipped
  })
  noteSkipped(model.lexicon, output)
  if (refinement !== undefined) output.note(refinementText(model, refinement))
  noteShortfalls(model.certificate, output)
  output.print(conceptTree(model))
  if (intervals !== undefined) output.print(`\n${intervalText(model, intervals)}`)
  const total = Object.values(seconds).reduce((sum, value) => sum + value, 0)
  output.print(
    `\n${model.concepts.length} concepts and ${model.lexicon.words.length} words from ${model.options.documents} documents in ${total.toFixed(2)} s` +
      `${tables === undefined ? '' : `\nfitted from ${describeTables(tables)}`}` +
      `\nmoments: ${moments.status}, objective ${moments.objective.toPrecision(4)}, gap ${moments.gap.toExponential(1)}` +
      `\nstructure: ${structure.status} (${structure.method}), ${scoreName(model)} ${structure.bic.toPrecision(7)}` +
      `\nloadings: ${loadingText(loadings)}, ${loadings.leaksAtFloor} of ${loadings.words} leaks at the floor` +
      `\n${wordText(model)}` +
      `\nwrote ${file}`
  )
}

/** How words speak when predicting, and how far that can be trusted. */
function wordFacts({wordModel}: Model) {
  return wordModel.kind === 'noisy-or'
    ? {kind: wordModel.kind}
    : {kind: wordModel.kind, threshold: wordModel.threshold, ...wordModel.certificate}
}

function wordText({wordModel}: Model): string {
  if (wordModel.kind === 'noisy-or') return 'predictions: by the noisy-or links of the words'
  const {source, documents, expectedF1} = wordModel.certificate
  const from = source === 'counts' ? 'counts alone' : counted(documents, 'document')
  return `predictions: words in log-odds from ${from}; best reported from ${percent(wordModel.threshold)} on, where F1 is expected to be ${expectedF1.toFixed(2)}`
}

function loadingText({gate, failures, failuresAboveOne}: FitCertificate['loadings']): string {
  return gate === undefined
    ? `${failuresAboveOne} of ${failures} clipped to "no effect"`
    : `${gate.kept} of ${failures} pairs of concept and word beyond ${gate.sigmas} standard errors`
}

function scoreName({options: {score}}: Model): string {
  return score === 'bic' ? 'BIC score' : `${score} BIC score`
}

/** What is less than was asked for, in words. */
function noteShortfalls({noise, moments, structure}: FitCertificate, output: Output): void {
  const guessed = noise.concepts.filter(({isGuess}) => isGuess)
  if (guessed.length > 0)
    output.note(
      `noise rates: those of ${guessed.length} of ${counted(noise.concepts.length, 'concept')} are guesses, good to a factor of 2.5 at best; ` +
        'so are their prevalences. Label 100 documents with adfa label, or give rates in the anchors file'
    )
  const apart = noise.concepts.filter(({disagreement}) => disagreement > 2)
  if (apart.length > 0)
    output.note(
      `noise rates: the estimates for ${apart.map(({concept}) => concept).join(', ')} disagree; see adfa noise`
    )
  if (moments.status !== 'optimal')
    output.note(
      `moments: ${REASONS[moments.status]}; they are proven to be within ${moments.gap.toPrecision(2)} of the best, which is more than was asked for`
    )
  if (structure.status === 'stopped' || structure.status === 'heuristic')
    output.note(
      `structure: ${structure.status === 'stopped' ? 'the search was stopped' : 'hill climbing proves nothing'}; ` +
        `the score of the best graph is at most ${structure.gap?.toPrecision(3)} above this one's ${structure.score.toPrecision(7)}`
    )
  if (structure.ignoredEdges > 0)
    output.note(`structure: ${counted(structure.ignoredEdges, 'given edge')} of concepts left out of the model ignored`)
}
