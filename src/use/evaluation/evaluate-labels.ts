import {AdfaError} from '../../base/checks/index.ts'
import {counted} from '../../base/text/index.ts'
import {type Model, trainingCheck} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {createPredictor, evenRule, isTag, type Predictor, type TagRule, tagRule} from '../prediction/index.ts'
import {type ConceptMistakes, conceptMistakes} from './concept-mistakes.ts'
import {type DecisionEstimates, isAhead, LabelEvaluator, type LabelFigures} from './label-figures.ts'
import {type Best, bestOf} from './resampling.ts'

/**
 * The labels of this many documents teach the model words, which it then finds again: recall by them is near 1, whatever it
 * is on others (.50 on cooking questions). Then figures need as many labelled documents that it has not learned from.
 */
const LEAST_TEACHING = 30

/** What a model without a threshold of its own reports from. */
const EVEN = 0.5

/** A model's figures from labelled documents, beside those of its noisy-or links and of its anchors alone. */
export interface LabelEvaluation extends LabelFigures {
  /** Labelled documents whose labels the rates of the model rest on; undefined where the model does not say. */
  readonly usedForRates: number | undefined
  /** Only those that the model has not learned from, or all of them. */
  readonly evaluated: 'others' | 'all'
  readonly rule: TagRule
  /** All decisions; `differences` from the model on the same documents, clear where the interval leaves out 0. */
  readonly baselines: Readonly<Record<string, DecisionEstimates & {readonly differences: DecisionEstimates}>>
  /** Of all decisions, by figure. */
  readonly best: Readonly<Record<keyof DecisionEstimates, Best>>
}

/** Labelled documents, for the wrong ones among them. */
interface Judged {
  readonly document: number
  readonly probabilities: ArrayLike<number>
  readonly anchors: readonly number[]
  readonly labels: Int8Array
  readonly isOther: boolean
}

/** An evaluation in progress: all documents are added one at a time, those without labels too. */
export class OpenLabelEvaluation {
  readonly #compared
  readonly #training
  readonly #judged: Judged[] = []
  #documents = 0
  #used = 0
  #unknown = 0

  /** Concepts are reported from `threshold` on; by default by the rule of the model. */
  constructor(model: Model, threshold?: number) {
    this.#compared = comparisons(model, threshold)
    this.#training = trainingCheck(model)
  }

  /** Whole labelled documents so far. */
  get labelled(): number {
    return this.#compared[0].all.labelled
  }

  /** `labels`: 1 present, 0 absent, -1 unknown. A `whole` document is one drawn at random. */
  add(key: string, evidence: Evidence, labels: Int8Array | undefined, isWhole: boolean): void {
    const own = labels?.some(label => label >= 0) ? labels : undefined
    const wasUsed = own && this.#training.wasLabelled({key, words: evidence.words})
    if (own !== undefined && wasUsed === undefined) this.#unknown++
    if (wasUsed) this.#used++
    const drawn = isWhole ? 'random' : 'anchored'
    const isOther = wasUsed === false
    this.#compared.forEach(({posterior, all, others}, at) => {
      const probabilities = posterior(evidence)
      all.add(probabilities, evidence.anchors, own, drawn)
      others.add(probabilities, evidence.anchors, isOther ? own : undefined, drawn)
      if (at === 0 && own !== undefined)
        this.#judged.push({document: this.#documents, probabilities, anchors: evidence.anchors, labels: own, isOther})
    })
    this.#documents++
  }

  /** Refuses labels that taught the model its words. */
  finish(seed: number): LabelEvaluation {
    const evaluated = this.#evaluated()
    const {labelled} = this.#compared[0].others
    if (evaluated === 'others' && labelled < LEAST_TEACHING)
      throw new AdfaError(
        'bad-document',
        `the model has learned its words from ${counted(this.#used, 'labelled document')}, so figures by these would be too good; ` +
          `${labelled === 0 ? 'no' : labelled} other labelled document${labelled === 1 ? ' is' : 's are'} here: label ` +
          `${LEAST_TEACHING - labelled} more, and evaluate before learning from them`,
        {details: {used: this.#used, others: labelled}}
      )
    const chosen = ({all, others}: ReturnType<typeof comparisons>[number]) => (evaluated === 'others' ? others : all)
    const own = chosen(this.#compared[0])
    const methods = this.#compared.map(one => {
      const figures = chosen(one).finish(seed)
      return [one.name, {...figures.micro, figures, evaluator: chosen(one)}] as const
    })
    const best = (name: keyof DecisionEstimates) =>
      bestOf(
        methods.filter(([, one]) => !Number.isNaN(one[name].value)),
        (a, b) => isAhead(a[name], b[name]),
        (a, b) => a.evaluator.differencesFrom(b.evaluator, seed)[name]
      )
    return {
      ...methods[0][1].figures,
      usedForRates: this.#unknown > 0 ? undefined : this.#used,
      evaluated,
      rule: this.#compared[0].rule,
      baselines: Object.fromEntries(
        methods.slice(1).map(([name, {figures, evaluator}]) => {
          return [name, {...figures.micro, differences: evaluator.differencesFrom(own, seed)}]
        })
      ),
      best: {f1: best('f1'), precision: best('precision'), recall: best('recall')}
    }
  }

  /** By concept, in the order of the model: the labelled documents of the figures, and the wrong ones among them. */
  concepts({concepts}: LabelEvaluation): ConceptMistakes[] {
    const [{rule}] = this.#compared
    const isAll = this.#evaluated() === 'all'
    return concepts.map((_, i) => {
      const own = this.#judged.filter(({labels, isOther}) => labels[i] >= 0 && (isAll || isOther))
      return conceptMistakes({
        probabilities: own.map(({probabilities}) => probabilities[i]),
        labels: own.map(({labels}) => labels[i]),
        documents: own.map(({document}) => document),
        tagged: own.map(({probabilities, anchors}) => (isTag(rule, i, probabilities[i], anchors.includes(i)) ? 1 : 0))
      })
    })
  }

  #evaluated(): 'others' | 'all' {
    const isBetter = this.#used > 0 && this.#compared[0].others.labelled >= LEAST_TEACHING
    return isBetter || this.#used >= LEAST_TEACHING ? 'others' : 'all'
  }
}

/** The model, and what it is compared with: its noisy-or links, and its anchors alone. */
function comparisons(model: Model, threshold: number | undefined) {
  const names = model.concepts.map(({name}) => name)
  const own = createPredictor(model)
  const links = createPredictor(model, {wordModel: 'noisy-or'})
  const even = evenRule(names.length, threshold ?? EVEN)
  const open = (name: string, posterior: Predictor['posterior'], rule: TagRule) => ({
    name,
    posterior,
    rule,
    all: new LabelEvaluator(names, rule),
    others: new LabelEvaluator(names, rule)
  })
  return [
    open('this model', own.posterior, threshold === undefined ? tagRule(model) : even),
    ...(model.wordModel.kind === 'noisy-or' ? [] : [open('noisy-or', links.posterior, even)]),
    open(
      'anchors-only',
      ({anchors}) => names.map((_, i) => (anchors.includes(i) ? 1 : 0)),
      evenRule(names.length, EVEN)
    )
  ]
}

/** Whether the figures are of documents that the model has learned from. */
export function labelsUsedText(
  {usedForRates, evaluated, labelled, shortAnswers}: LabelEvaluation,
  {certificate}: Pick<Model, 'certificate'>
): string {
  const {labelledCount = 0} = (certificate.noise ?? {}) as {labelledCount?: number}
  if (usedForRates === undefined)
    return `The rates of the model rest on ${counted(labelledCount, 'labelled document')}, and it does not record which; if these are among them, the figures are optimistic.`
  if (usedForRates === 0) return 'The model was learned without these labels.'
  if (evaluated === 'others')
    return `The model was learned from ${counted(usedForRates, 'other document')} of the labels file, which are left out.`
  return `The rates of the model rest on ${usedForRates} of these ${labelled + shortAnswers} labels, so the figures are optimistic.`
}
