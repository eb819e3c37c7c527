import {AdfaError} from '../../base/checks/index.ts'
import {counted} from '../../base/text/index.ts'
import {type Model, trainingCheck} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {createPredictor, evenRule, type Predictor, type TagRule, tagRule} from '../prediction/index.ts'
import {type Best, bestOf} from './intervals.ts'
import {
  type DecisionEstimates,
  isAhead,
  LabelEvaluator,
  type LabelFigures,
  type LabelledDocument,
  labelDifferences
} from './label-figures.ts'
import {type ConceptMistakes, conceptMistakes} from './weighted-figures.ts'

/**
 * The labels of this many documents teach the model words, which it then finds again: recall by them is near 1, whatever it
 * is on others (.50 on cooking questions). Then figures need as many labelled documents that it has not learned from.
 */
const LEAST_TEACHING = 30

/** What a model without a threshold of its own reports from. */
const EVEN = 0.5

/** A model's figures from labelled documents, beside those of its noisy-or links and of its anchors alone. */
export interface LabelEvaluation extends LabelFigures {
  /** Labelled documents whose labels the rates of the model were estimated from; undefined where the model does not say. */
  readonly usedForRates: number | undefined
  /** Only those that the model has not learned from, or all of them. */
  readonly evaluated: 'others' | 'all'
  readonly rule: TagRule
  /** All decisions; `differences` from the model on the same documents, clear where the interval leaves out 0. */
  readonly baselines: Readonly<Record<string, DecisionEstimates & {readonly differences: DecisionEstimates}>>
  /** Of all decisions, by figure. */
  readonly best: Readonly<Record<keyof DecisionEstimates, Best>>
}

/** `labels`: 1 present, 0 absent, -1 unknown. A `whole` document is one drawn at random. */
export interface LabelledEvidence {
  readonly key: string
  readonly evidence: Evidence
  readonly labels: Int8Array | undefined
  readonly isWhole: boolean
}

/** An evaluation in progress: all documents are added one at a time, those without labels too. */
export class OpenLabelEvaluation {
  readonly #methods
  readonly #training
  /** By labelled document: whether its labels taught the model; undefined where that is not known. */
  readonly #wasUsed: (boolean | undefined)[] = []

  /** Concepts are reported from `threshold` on; by default by the rule of the model. */
  constructor(model: Model, threshold?: number) {
    this.#methods = comparedMethods(model, threshold)
    this.#training = trainingCheck(model)
  }

  /** Whole labelled documents so far. */
  get labelled(): number {
    return this.#methods[0].evaluator.labelled.filter(({drawn}) => drawn === 'random').length
  }

  add({key, evidence, labels, isWhole}: LabelledEvidence): void {
    const own = labels?.some(label => label >= 0) ? labels : undefined
    if (own !== undefined) this.#wasUsed.push(this.#training.wasLabelled({key, words: evidence.words}))
    for (const {posterior, evaluator} of this.#methods)
      evaluator.add(posterior(evidence), evidence.anchors, own, isWhole ? 'random' : 'anchored')
  }

  /** Refuses labels that taught the model its words. */
  finish(seed: number): LabelEvaluation {
    const {evaluated, used, others} = this.#choice()
    if (evaluated === 'others' && others < LEAST_TEACHING)
      throw new AdfaError(
        'bad-document',
        `the model has learned its words from ${counted(used, 'labelled document')}, so figures by these would be too good; ` +
          `${others === 0 ? 'no' : others} other labelled document${others === 1 ? ' is' : 's are'} here: label ` +
          `${LEAST_TEACHING - others} more, and evaluate before learning from them`,
        {details: {used, others}}
      )
    const methods = this.#methods.map(({name, evaluator}) => {
      return [name, evaluator.finish(seed, this.#chosen(evaluator))] as const
    })
    const [[, own], ...baselines] = methods
    const best = (name: keyof DecisionEstimates) =>
      bestOf(
        methods.filter(([, {figures}]) => !Number.isNaN(figures.micro[name].value)),
        (a, b) => isAhead(a.figures.micro[name], b.figures.micro[name]),
        (a, b) => labelDifferences(a, b)[name]
      )
    return {
      ...own.figures,
      usedForRates: this.#wasUsed.includes(undefined) ? undefined : used,
      evaluated,
      rule: this.#methods[0].rule,
      baselines: Object.fromEntries(
        baselines.map(([name, one]) => [name, {...one.figures.micro, differences: labelDifferences(one, own)}])
      ),
      best: {f1: best('f1'), precision: best('precision'), recall: best('recall')}
    }
  }

  /** By concept, in the order of the model: the labelled documents of the figures, and the wrong ones among them. */
  concepts(): ConceptMistakes[] {
    const [{evaluator, rule}] = this.#methods
    return rule.fired.map((_, i) => {
      const own = this.#chosen(evaluator).filter(({cells}) => cells[i] >= 0)
      return conceptMistakes({
        documents: own.map(({document}) => document),
        probabilities: own.map(({probabilities}) => probabilities[i]),
        labels: own.map(({cells}) => cells[i] >> 2),
        tagged: own.map(({cells}) => (cells[i] & 1) === 1)
      })
    })
  }

  /** The labelled documents that count: those that the model has not learned from, unless it has learned from few. */
  #chosen({labelled}: LabelEvaluator): LabelledDocument[] {
    const {evaluated} = this.#choice()
    return labelled.filter((_, at) => evaluated === 'all' || this.#wasUsed[at] === false)
  }

  #choice() {
    const used = this.#wasUsed.filter(Boolean).length
    const others = this.#methods[0].evaluator.labelled.filter(
      ({drawn}, at) => drawn === 'random' && this.#wasUsed[at] === false
    ).length
    const isApart = used >= LEAST_TEACHING || (used > 0 && others >= LEAST_TEACHING)
    return {used, others, evaluated: isApart ? ('others' as const) : ('all' as const)}
  }
}

/** The model, and what it is compared with: its noisy-or links, and its anchors alone. */
function comparedMethods(model: Model, threshold: number | undefined) {
  const names = model.concepts.map(({name}) => name)
  const even = evenRule(names.length, threshold ?? EVEN)
  const method = (name: string, posterior: Predictor['posterior'], rule: TagRule) => {
    return {name, posterior, rule, evaluator: new LabelEvaluator(names, rule)}
  }
  const firing: Predictor['posterior'] = ({anchors}) => names.map((_, i) => (anchors.includes(i) ? 1 : 0))
  const links = () => createPredictor(model, {wordModel: 'noisy-or'}).posterior
  return [
    method('this model', createPredictor(model).posterior, threshold === undefined ? tagRule(model) : even),
    ...(model.wordModel.kind === 'noisy-or' ? [] : [method('noisy-or', links(), even)]),
    method('anchors-only', firing, evenRule(names.length, EVEN))
  ]
}
