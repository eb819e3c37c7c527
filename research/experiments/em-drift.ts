import type {ChartSeries} from '../../src/app/drawing/index.ts'
import {grouped} from '../../src/base/text/index.ts'
import {runEm} from '../../src/learn/em.ts'
import {fit} from '../../src/learn/fit.ts'
import {type Model, topWords} from '../../src/learn/model/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {chanceText, type Difference, mean, signed, spreadText} from '../spread.ts'
import {type Claim, type Experiment, type Results, rounded, type Tables, verdicts} from './experiment.ts'
import type {Material} from './material.ts'
import {leftOutNote, MOST_TRAINING, predictionSplit} from './split.ts'

/** The presets that EM starts from. */
export const driftPaths = ['paper', 'robust'] as const
type DriftPath = (typeof driftPaths)[number]

export type DriftCell = {readonly split: number; readonly seed: number; readonly path: DriftPath}

/** The paper's nine. */
export const EM_STEPS = 9
/** EM reads every document in every step; its effect is much the same in every split. */
const MOST_SPLITS = 3
/** Relative cost of the paths: seconds for 8,000 documents and 50 concepts. */
const COSTS: Readonly<Record<DriftPath, number>> = {paper: 23, robust: 16}
const SHOWN_WORDS = 10
/** Words are kept for the most frequent concepts: those of rare ones change by chance. */
const COMMONEST = 20
const pathNames: Readonly<Record<DriftPath, string>> = {
  paper: 'EM from ADFA, tree (paper)',
  robust: 'EM from robust'
}

/** Sections 5.5 and 5.6: what maximising the likelihood does to a model learned from anchors. A cell follows one path on one split. */
export const emDrift: Experiment<DriftCell> = {
  name: 'em-drift',
  title: 'EM: likelihood rises, do predictions?',
  about:
    'The paper (Sections 5.5 and 5.6) continues from its model with steps of EM, which raise the likelihood of the documents, and finds that predictions get worse: concepts turn into whatever explains most words. It shows its accuracies only as a picture.',
  claims: driftPaths.map(
    (path): Claim => ({
      where: '5.6',
      isOfRealData: true,
      says: `EM raises the likelihood and makes predictions worse (from the ${path === 'paper' ? "paper's" : 'robust'} start).`,
      rule: 'Points of last-tag accuracy after 9 steps, beyond two standard errors, while the likelihood bound rises.',
      judge(results) {
        const [accuracy, bound] = ['lastTag', 'bound'].map(figure => changeOf(results, path, figure))
        const worse =
          verdicts[accuracy.verdict === 'below' ? 'above' : accuracy.verdict === 'above' ? 'below' : 'unclear']
        return {verdict: bound.mean > 0 ? worse : 'not', shown: signed(100 * accuracy.mean, 1)}
      }
    })
  ),
  cells: (_, {splits, seed}) =>
    Array.from({length: Math.min(splits, MOST_SPLITS)}, (_, split) =>
      driftPaths.map(path => ({split, seed: seed + split, path}))
    ).flat(),
  cost: ({path}) => COSTS[path],
  measure: measureDrift,
  figures(results, {name}) {
    const steps = Array.from({length: EM_STEPS + 1}, (_, step) => step)
    const look = {kind: 'lines', x: {label: 'steps of EM'}} as const
    const series = (path: DriftPath, figure: string): ChartSeries => ({
      name: pathNames[path],
      points: steps.map(step => ({x: step, y: results.spread('steps', figure, {path, step}).mean})),
      marks: steps.flatMap(step => results.values('steps', figure, {path, step}).map(y => ({x: step, y})))
    })
    const level = mean(results.values('split', 'anchorsLastTag', {path: 'paper'}))
    const anchors = {name: 'anchors alone', points: [0, EM_STEPS].map(x => ({x, y: level}))}
    return [
      {
        name: 'em-drift-accuracy',
        caption: `Last-tag accuracy on held-out documents of ${name} after each step; lines: mean over the splits; faint symbols: single splits.`,
        chart: {
          ...look,
          title: 'Last-tag accuracy by step of EM',
          description:
            'How often the last tag of held-out documents is found, at the start and after each step, for EM from two starts.',
          y: {label: 'last tag found', percent: true},
          panels: [{title: name, series: [...driftPaths.map(path => series(path, 'lastTag')), anchors]}]
        }
      },
      // The levels of the two are far apart, so each has its own picture.
      ...driftPaths.map(path => ({
        name: `em-drift-bound-${path}`,
        caption: `Lower bound of the log-likelihood of the training documents after each step; ${pathNames[path]}.`,
        chart: {
          ...look,
          title: `Lower bound of the log-likelihood by step of EM, ${name}`,
          description:
            'The lower bound of the log-likelihood of the training documents, in nats per document, at the start and after each step.',
          y: {label: 'bound, nats per document'},
          panels: [{title: pathNames[path], series: [series(path, 'bound')]}]
        }
      }))
    ]
  },
  tables: results => [
    {
      name: 'em-drift',
      caption: `Before, and after ${EM_STEPS} steps of EM: means over the splits, with the standard error in brackets, in units of the last digit; the bound of the likelihood in nats per training document; and how many of a concept's first ten words remain among its first ten`,
      head: ['path', 'last tag', 'after', 'average precision', 'after', 'bound', 'after', 'change', 'words kept'],
      rows: driftPaths.map(path => {
        const both = (figure: string, digits?: number) =>
          [0, EM_STEPS].map(step => spreadText(results.spread('steps', figure, {path, step}), digits))
        return [
          ...[pathNames[path], ...both('lastTag'), ...both('averagePrecision'), ...both('bound', 2)],
          signed(changeOf(results, path, 'bound').mean, 2),
          mean(results.values('split', 'kept', {path})).toFixed(1)
        ]
      })
    },
    changedTable(results)
  ],
  notes: results => [
    `Learned from ${results.range('split', 'training')} documents (at most ${grouped(MOST_TRAINING)} of each split). ${chanceText(results.distinct('split', 'split').length)} Predictions use the noisy-or links, which EM changes; the network and the rates of the anchors stay as they are. E-steps draw states by Gibbs sampling, as in the paper's supplement, so the bound may fluctuate where little changes. Anchors alone find ${spreadText(results.spread('split', 'anchorsLastTag', {path: 'paper'}))} of the last tags.`,
    ...leftOutNote(results)
  ]
}

/** From the start to the last step. */
function changeOf(results: Results, path: DriftPath, figure: string): Difference {
  return results.difference('steps', figure, {path, step: EM_STEPS}, {path, step: 0})
}

/**
 * The paper's table of "headache": for each start, the words of the concept that loses most of its first words in the first split,
 * among the most frequent and the first of equals: a rule, so that nothing is picked by hand.
 */
function changedTable(results: Results) {
  const changed = driftPaths.map(path => {
    const words = results.rows('words', {path, split: 0})
    const concepts = [...new Set(words.map(({concept}) => concept))]
    const lists = concepts.map(concept => words.filter(word => word.concept === concept))
    const lost = (list: typeof words) => {
      const after = new Set(list.map(word => word.after))
      return list.filter(({before}) => before !== null && !after.has(before)).length
    }
    return lists.reduce((most, list) => (lost(list) > lost(most) ? list : most))
  })
  return {
    name: 'changed-words',
    caption: `The concepts that lose most of their first ${SHOWN_WORDS} words in the first split, EM from either start; words are ranked by their information about the concept`,
    head: ['place', ...changed.flatMap(([{concept}]) => [`${concept}, before`, 'after'])],
    rows: Array.from({length: SHOWN_WORDS}, (_, at) => [
      at + 1,
      ...changed.flatMap(list => [list[at]?.before ?? undefined, list[at]?.after ?? undefined])
    ])
  }
}

/**
 * Follows one path over the training documents of a split, evaluating each of its models on the held-out ones. The rates are in the
 * lexicon. Predictions use the noisy-or links, since these are what EM changes.
 */
export async function measureDrift(material: Material, {seed, path}: DriftCell): Promise<Tables> {
  const {training, heldOut, leftOut} = predictionSplit(material, seed)
  const start = await fit(countCorpus(training), {preset: path, noise: 'given', words: 'noisy-or'})
  const models: Model[] = []
  const {bounds} = runEm(start, training, {steps: EM_STEPS}, {onStep: model => models.push(model)})
  const anchors = evaluate(start, heldOut).baselines['anchors-only']
  const lists = [start, models[EM_STEPS]].map(model =>
    model.concepts.map((_, i) => topWords(model, i, SHOWN_WORDS).map(({word}) => word))
  )
  const kept = lists[0].map((before, i) => before.filter(word => lists[1][i].includes(word)).length)
  const order = start.concepts.map(({prevalence}, i) => ({i, prevalence})).sort((a, b) => b.prevalence - a.prevalence)
  return {
    split: [
      {
        training: training.documents.length,
        heldOut: heldOut.documents.length,
        concepts: start.concepts.length,
        anchorsLastTag: rounded(anchors.lastTag.accuracy),
        anchorsPrecision: rounded(anchors.tagging.averagePrecision),
        kept: rounded(mean(kept))
      }
    ],
    steps: models.map((model, step) => {
      const {lastTag, tagging} = evaluate(model, heldOut)
      return {
        ...{step, lastTag: rounded(lastTag.accuracy), averagePrecision: rounded(tagging.averagePrecision)},
        bound: rounded(bounds[step])
      }
    }),
    words: order.slice(0, COMMONEST).flatMap(({i}) => {
      const [before, after] = lists.map(list => list[i])
      return Array.from({length: Math.max(before.length, after.length)}, (_, at) => ({
        ...{concept: start.concepts[i].name, rank: at + 1},
        ...{before: before[at] ?? null, after: after[at] ?? null}
      }))
    }),
    'left-out': leftOut.map(concept => ({concept}))
  }
}
