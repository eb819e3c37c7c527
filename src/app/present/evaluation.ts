/** A model beside simpler methods, on documents with tags or labels. */
import {counted, grouped, listed, nameList, percent} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Lexicon} from '../../read/data/index.ts'
import {
  type DecisionEstimates,
  type Estimate,
  type Evaluation,
  type Figures,
  figureColumns,
  figureMark,
  figureText,
  intervalText,
  isCeiling,
  type LabelEvaluation,
  type LabelsWorth,
  type ReliabilityBin,
  type Rival,
  type TaggingFigures,
  type Untrained,
  whereBeaten
} from '../../use/evaluation/index.ts'
import type {LeftOut} from '../pipeline/index.ts'
import {
  type Block,
  type Cell,
  column,
  figure,
  heading,
  type Inline,
  kept,
  more,
  paragraph,
  type TableBlock,
  tableOf
} from './blocks.ts'
import {reliabilityChart} from './charts.ts'
import {ruleText} from './rule.ts'

/** "400 documents, 5 concepts". */
function evaluatedText({documents, concepts}: Evaluation): string {
  return `${counted(documents, 'document')}, ${counted(concepts, 'concept')}`
}

/** All of an evaluation for terminals, where intervals and marks have tables of their own. */
export function evaluationBlocks(evaluation: Evaluation): Block[] {
  const {best} = evaluation
  return [
    paragraph(evaluatedText(evaluation)),
    methodsTable(evaluation, figureText),
    heading(`${percent(evaluation.level)} intervals`),
    methodsTable(evaluation, ({key, digits}, {intervals}) => intervalText(intervals[key], digits)),
    ...groupBlocks(evaluation),
    heading('This model by concept'),
    conceptTable(evaluation.perConcept),
    heading('Best of each figure, upper bounds aside, and methods without a clear difference from it'),
    tableOf(figureColumns, [
      column('', ({name}) => name),
      column('best', ({key}) => best[key].methods.join(', ') || '-'),
      column('no clear difference', ({key}) => best[key].level.join(', ') || '-')
    ]),
    ...verdictBlocks(evaluation),
    remarkBlock(evaluation)
  ]
}

/** The same for pages, where each figure has its interval and its mark; `rivals` are methods that are clearly better in some figure. */
export function evaluationParts(
  evaluation: Evaluation
): {readonly rivals: readonly string[]} & Readonly<Record<'verdict' | 'figures' | 'meanings', readonly Block[]>> {
  const terms = methodsOf(evaluation).flatMap(([name]): [string, string][] => {
    const meaning = methodText(name)
    return meaning === undefined ? [] : [[name, meaning]]
  })
  return {
    rivals: clearRivals(evaluation).map(({name}) => name),
    verdict: verdictBlocks(evaluation),
    figures: [
      {
        ...methodsTable(evaluation, (shown, figures, name) => [
          {text: figureText(shown, figures), look: figureMark(shown, name, evaluation)},
          {text: intervalText(figures.intervals[shown.key], shown.digits), look: 'range'}
        ]),
        caption: 'This model and simpler methods on the same documents.',
        look: 'figures'
      },
      paragraph(
        'The best of each figure is marked, and ≈ marks figures that do not clearly differ from it. Methods that learn from tags are left aside: users of this model do not have any.',
        'quiet'
      ),
      ...groupBlocks(evaluation)
    ],
    meanings: [
      remarkBlock(evaluation),
      more('What the figures mean', {kind: 'terms', terms: figureColumns.map(({name, meaning}) => [name, meaning])}),
      more('What the methods are', {kind: 'terms', terms})
    ]
  }
}

/** The section of a report. */
export function evaluationSection(evaluation: Evaluation, learnedShare: number | undefined): Block[] {
  const {verdict, figures, meanings} = evaluationParts(evaluation)
  return kept([
    paragraph(`${evaluatedText(evaluation)}, judged by known tags.`),
    learnedShare !== undefined && learnedShare > 0 && paragraph(learnedText(learnedShare), 'bad'),
    ...figures,
    ...verdict,
    ...meanings,
    reliabilityPicture(evaluation)
  ])
}

type MethodFigures = readonly [name: string, figures: Figures]

function methodsOf(evaluation: Evaluation): MethodFigures[] {
  return [['this model', evaluation], ...Object.entries(evaluation.baselines)]
}

type FigureColumn = (typeof figureColumns)[number]

function methodsTable(
  evaluation: Evaluation,
  cell: (column: FigureColumn, figures: Figures, name: string) => Inline
): TableBlock {
  return tableOf(methodsOf(evaluation), [
    column('', ([name]) => ({text: name, tip: methodText(name)})),
    ...figureColumns.map(shown =>
      figure(shown.name, ([name, figures]: MethodFigures) => cell(shown, figures, name), shown.meaning)
    )
  ])
}

/** For each group of exclusive concepts, how often its most probable concept is the true one. */
function groupBlocks(evaluation: Evaluation): Block[] {
  const shown = (value = Number.NaN) => (Number.isNaN(value) ? '-' : value.toFixed(3))
  return (evaluation.groups ?? []).flatMap(({classes, documents, leftOut}, at) => {
    const left = leftOut > 0 ? `; left out: ${grouped(leftOut)} whose tags do not name one of them` : ''
    return [
      heading(`The most probable of ${nameList(classes, 8)} in ${counted(documents, 'document')}${left}`),
      tableOf(methodsOf(evaluation), [
        column('', ([name]) => name),
        figure(
          'accuracy',
          ([, {groups}]) => shown(groups?.[at].accuracy),
          'how often the most probable class is the true one'
        ),
        figure('macro F1', ([, {groups}]) => shown(groups?.[at].macroF1), 'the mean F1 of the classes')
      ])
    ]
  })
}

function verdictBlocks(evaluation: Evaluation): Block[] {
  const overconfident = overconfidenceText(evaluation.tagging)
  return [rivalBlock(evaluation), ...(overconfident === undefined ? [] : [paragraph(overconfident, 'bad')])]
}

/** Simpler methods that are clearly better in some figure. */
export function clearRivals(evaluation: Evaluation | LabelEvaluation): Rival[] {
  return whereBeaten(evaluation).filter(({columns}) => columns.length > 0)
}

function rivalBlock(evaluation: Evaluation | LabelEvaluation): Block {
  const beaten = clearRivals(evaluation)
  if (beaten.length === 0) return paragraph('No simpler method is clearly better than this model in any figure.')
  return {
    kind: 'list',
    items: beaten.map(({name, columns, level}) => {
      const unclear = level.length === 0 ? '' : `, and is ahead in ${listed(level)} without a clear difference`
      return [{text: name, look: 'strong'}, ` does better than this model in ${listed(columns)}${unclear}`]
    })
  }
}

/** What to know when reading the figures. */
function remarkBlock(evaluation: Evaluation): Block {
  const {tagging, tagLogLikelihood, tagLogLikelihoodError, level, labelsWorth} = evaluation
  const {threshold} = tagging.atThreshold
  const rule =
    threshold === undefined
      ? 'without labels where the anchor fires or the score is very high'
      : `at ${threshold.toFixed(2)} or more`
  const items = [
    labelsWorth && labelsWorthText(labelsWorth, level),
    `F1 is at a threshold of 0.5; F1* is by the rule of this model (${rule}), of other methods at the threshold where they expect their highest F1 without seeing any tag.`,
    `Intervals and differences are at the ${percent(level)} level, by resampling the documents; two methods are compared on the same resamples.`,
    tagLogLikelihoodError !== undefined &&
      `log P(tags): the normalising constant of this network is sampled, with a standard error of ${tagLogLikelihoodError.toFixed(3)}; the intervals include it.`,
    tagLogLikelihood === Number.NEGATIVE_INFINITY &&
      'log P(tags) is -Infinity: the tags of at least one document are impossible under the model, such as several classes of a group in which exactly one holds.',
    tagging.saturated > 0 && saturationText(tagging)
  ]
  return {kind: 'list', items: kept(items)}
}

function labelsWorthText({value, low, high, least, most}: LabelsWorth, level: number): string {
  const amount = (labels: number, about = '') => {
    if (labels <= least) return `fewer than ${grouped(least)}`
    return labels >= most ? `more than all ${grouped(most)}` : `${about}${grouped(Number(labels.toPrecision(2)))}`
  }
  const interval = low === high ? '' : ` (${percent(level)} interval: ${amount(low)} to ${amount(high)})`
  return `In average precision this model is worth ${amount(value, 'about ')} labelled documents${interval}, by the learning curve of TF-IDF logistic regression ("supervised").`
}

/** A gap between probability and frequency below this is small. */
const LARGE_GAP = 0.1

/** Standard errors of a frequency within which a gap may be due to chance. */
const CHANCE = 3

/** Where probabilities are far too high; undefined where they are not, or where scores stand in for them. */
function overconfidenceText({reliability, atThreshold}: TaggingFigures): string | undefined {
  if (atThreshold.threshold === undefined) return undefined
  const far = reliability.filter(({meanProbability, shareFound, count}) => {
    const error = Math.sqrt((meanProbability * (1 - meanProbability)) / count)
    return meanProbability - shareFound > Math.max(LARGE_GAP, CHANCE * error)
  })
  if (far.length === 0) return undefined
  const excess = (bin: ReliabilityBin) => bin.count * (bin.meanProbability - bin.shareFound)
  const worst = far.reduce((a, b) => (excess(b) > excess(a) ? b : a))
  return `The model is overconfident: of ${counted(worst.count, 'prediction')} at about ${percent(worst.meanProbability)}, only ${percent(worst.shareFound)} are right.`
}

function saturationText({saturated}: TaggingFigures): string {
  if (saturated === 0) return 'No probability is exactly 0 or 1.'
  return `${percent(saturated)} of the probabilities are exactly 0 or 1, so no further evidence could change them.`
}

/** How often probabilities come true: bin by bin. */
export function reliabilityTable({reliability}: TaggingFigures): TableBlock {
  const share = (p: number) => `${(100 * p).toFixed(1)}%`
  return tableOf(reliability, [
    figure('mean probability', ({meanProbability}) => share(meanProbability)),
    figure('found', ({shareFound}) => share(shareFound)),
    figure('predictions', ({count}) => grouped(count))
  ])
}

export function reliabilityBlocks({tagging}: Evaluation): Block[] {
  return [
    heading('How often predictions of each probability are true, over all documents and concepts'),
    reliabilityTable(tagging),
    paragraph(saturationText(tagging))
  ]
}

export function reliabilityPicture(evaluation: Evaluation): Block {
  return {
    kind: 'chart',
    id: 'reliability-picture',
    chart: reliabilityChart(evaluation),
    caption:
      'Predictions are grouped into fifteen bins by probability; each point shows how often those of a bin were right. On the diagonal, 30% means three in ten; below it, predictions come true less often than the model says.'
  }
}

/** Figures of a concept by its reports, and as far as they are known the documents behind them. */
export interface ConceptRow extends DecisionEstimates {
  readonly concept: string
  readonly averagePrecision?: Estimate
  readonly tags?: number
  readonly hits?: number
  readonly misses?: number
  readonly alarms?: number
}

export type MistakeKind = 'miss' | 'alarm'

/** A row for each concept, the worst first; one that no document has cannot be judged and comes last. Numbers of mistakes lead to `linkOf`. */
export function conceptTable(
  concepts: readonly ConceptRow[],
  nameOf: (concept: string) => Inline = concept => concept,
  linkOf: (concept: string, kind: MistakeKind) => unknown = () => undefined
): TableBlock {
  const star = concepts.some(({tags}) => tags !== undefined) ? '*' : ''
  const columns = [
    column('', ({concept}: ConceptRow) => nameOf(concept)),
    count('tags', ({tags}) => tags),
    has(({averagePrecision}) => averagePrecision) &&
      figure('avg. precision', ({averagePrecision}: ConceptRow) => estimateCell(averagePrecision)),
    figure(`F1${star}`, ({f1}: ConceptRow) => ({
      cell: estimateCell(f1),
      bar: Number.isNaN(f1.value) ? undefined : f1.value
    })),
    figure(`precision${star}`, ({precision}: ConceptRow) => estimateCell(precision)),
    figure(`recall${star}`, ({recall}: ConceptRow) => estimateCell(recall)),
    count('found', ({hits}) => hits),
    count('false alarms', ({alarms}) => alarms, 'alarm'),
    count('missed', ({misses}) => misses, 'miss')
  ]
  return tableOf(
    concepts.toSorted((a, b) => rank(a) - rank(b)),
    columns,
    {look: 'per-concept'}
  )

  function has(value: (row: ConceptRow) => unknown): boolean {
    return concepts.some(row => value(row) !== undefined)
  }

  /** A column of numbers of documents, where they are known; those of mistakes lead to the documents. */
  function count(name: string, value: (row: ConceptRow) => number | undefined, kind?: MistakeKind) {
    return (
      has(value) &&
      figure(name, (row: ConceptRow): Cell => {
        const text = grouped(value(row) ?? 0)
        if (kind === undefined || text === '0') return text
        return {text, to: linkOf(row.concept, kind), tip: `${text} ${name} of ${row.concept}`}
      })
    )
  }
}

function rank({f1}: ConceptRow): number {
  return Number.isNaN(f1.value) ? 2 : f1.value
}

/** "0.63 (0.58 to 0.68)"; "-" where the labels cannot tell. */
function estimateCell(estimate: Estimate | undefined): Inline {
  if (estimate === undefined || Number.isNaN(estimate.value)) return '-'
  const {value, low, high} = estimate
  return [`${value.toFixed(2)} `, {text: `(${intervalText({low, high}, 2)})`, look: 'range'}]
}

/** What is said of a model that was judged by labels. */
export interface LabelledModel extends Pick<Model, 'certificate'> {
  readonly lexicon: Pick<Lexicon, 'anchors'>
}

/** "200 labelled documents, of 900 documents; 5 concepts, reported at a probability of 40% or more". */
export function labelsLead(evaluation: LabelEvaluation, model: LabelledModel): string {
  const {labelled, shortAnswers, documents, concepts, rule} = evaluation
  const short = shortAnswers === 0 ? '' : ` and ${counted(shortAnswers, 'short answer')}`
  return `${counted(labelled, 'labelled document')}${short}, of ${counted(documents, 'document')}; ${counted(concepts.length, 'concept')}, reported ${ruleText(model, rule)}`
}

/** Whether the figures are of documents that the model has learned from. */
export function labelsUsedText(evaluation: LabelEvaluation, {certificate}: LabelledModel): string {
  const {usedForRates, evaluated, labelled, shortAnswers} = evaluation
  const {labelledCount = 0} = (certificate.noise ?? {}) as {labelledCount?: number}
  if (usedForRates === undefined)
    return `The rates of the model are from ${counted(labelledCount, 'labelled document')}, and it does not record which; if these are among them, the figures are optimistic.`
  if (usedForRates === 0) return 'The model was learned without these labels.'
  if (evaluated === 'others')
    return `The model was learned from ${counted(usedForRates, 'other document')} of the labels file, which are left out.`
  return `The rates of the model are from ${usedForRates} of these ${labelled + shortAnswers} labels, so the figures are optimistic.`
}

/** The figures of all decisions, the model beside simpler methods. */
export function labelFigureBlocks(evaluation: LabelEvaluation): Block[] {
  const {micro, macro, macroConcepts, baselines, best, level} = evaluation
  const rows: (readonly [name: string, method: string, own: DecisionEstimates])[] = [
    ['all decisions', 'this model', micro],
    ...(macroConcepts === 0 ? [] : [[`mean of ${counted(macroConcepts, 'frequent concept')}`, '', macro] as const]),
    ...Object.entries(baselines).map(([name, own]) => [`${name}, all decisions`, name, own] as const)
  ]
  const decision = (name: string, key: keyof DecisionEstimates) =>
    figure(name, ([, method, own]: (typeof rows)[number]): Inline => {
      const look = best[key].methods.includes(method) ? 'best' : best[key].level.includes(method) ? 'level' : undefined
      return {text: estimateCell(own[key]), look}
    })
  return [
    tableOf(
      rows,
      [
        column('', ([name, method]) => ({text: name, tip: methodText(method)})),
        decision('F1', 'f1'),
        decision('precision', 'precision'),
        decision('recall', 'recall')
      ],
      {look: 'figures', caption: 'This model and simpler methods on the same documents.'}
    ),
    rivalBlock(evaluation),
    paragraph(
      `In brackets: ${percent(level)} intervals for all documents. Found, false alarms and missed are labelled documents: those that have the concept and are reported, are reported without it, have it and are not.`,
      'quiet'
    )
  ]
}

/** All of an evaluation by labels, for terminals. */
export function labelBlocks(evaluation: LabelEvaluation, model: LabelledModel): Block[] {
  return [
    paragraph(labelsLead(evaluation, model)),
    paragraph(labelsUsedText(evaluation, model)),
    ...labelFigureBlocks(evaluation),
    conceptTable(evaluation.concepts)
  ]
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ['this model', 'the model that is judged'],
  ['noisy-or', 'the same model, predicting with the links that the concept cards show'],
  ['prior', 'predicts the prevalence of each concept for every document'],
  ['anchors-only', 'uses the anchor of each concept alone, without words or network'],
  ['anchors-network', 'uses the anchors and the network, without words'],
  ['independent', 'the same learner without edges between concepts'],
  ['anchor-label', 'a classifier for each concept that takes the anchor as its label'],
  ['positive-unlabelled', 'the same, corrected for documents that have the concept but not its anchor'],
  ['noise-unbiased', 'the same, corrected for the noise of the anchor in its loss'],
  ['noise-weighted', 'the same, corrected for the noise of the anchor by weights'],
  ['imputation', 'draws all tags once, then learns from them as if they were true'],
  ['majority-vote', 'the class with the most votes'],
  ['dawid-skene', 'a table of rates for each source of votes'],
  ['accuracy-model', 'one accuracy for each source of votes'],
  ['majority-regression', 'a classifier of the words that learns from the class with the most votes'],
  ['oracle', 'the same learner, given every true tag'],
  ['supervised', 'TF-IDF logistic regression, given every true tag'],
  ['oracle-ml-tree', 'the same kind of model, fitted to true tags by maximum likelihood'],
  ['oracle-ml-independent', 'the same without edges between concepts']
])

/** What a method of an evaluation is; undefined where that is not known. */
function methodText(name: string): string | undefined {
  const [, size] = /^supervised-(\d+)$/.exec(name) ?? []
  if (size !== undefined)
    return `learns from tags: TF-IDF logistic regression on ${grouped(Number(size))} labelled documents`
  const base = name.replace(/-rule$/, '')
  const meaning = METHODS.get(base)
  if (meaning === undefined) return undefined
  const ceiling = isCeiling(name) ? 'learns from tags: ' : ''
  return `${ceiling}${meaning}${base === name ? '' : '; where the anchor fires, the anchor alone decides'}`
}

export function leftOutNotes({skipped, filtered, learnedShare, absent, stray}: LeftOut): string[] {
  const left = kept([
    skipped > 0 && `${grouped(skipped)} without tags`,
    filtered > 0 && `${grouped(filtered)} not passing the model's document filter`
  ])
  return kept([
    left.length > 0 && `left out: ${left.join(', ')}`,
    learnedShare !== undefined && learnedShare > 0 && learnedText(learnedShare),
    absent.length > 0 &&
      `no document has the tag of ${nameList(absent)}: all predictions of it count as wrong; concepts are judged by tags of the same name`,
    ...stray
  ])
}

/** Of documents that a model was learned from. */
export function learnedText(share: number): string {
  const which = share > 0.97 ? 'The evaluated documents are' : `About ${percent(share)} of the evaluated documents are`
  return `${which} documents that the model was learned from, so the figures are optimistic; evaluate on other documents for fair ones.`
}

/** Concepts with too few examples for classifiers, a sentence for each. */
export function untrainedNotes(untrained: readonly Untrained[]): string[] {
  return untrained.map(
    ({from, concept, reason}) => `classifiers on ${from} know only how common "${concept}" is: ${reason}`
  )
}
