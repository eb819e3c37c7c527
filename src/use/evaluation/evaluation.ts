import type {GroupFigures} from './group-figures.ts'
import type {Best, Estimate, Interval} from './intervals.ts'
import type {ConceptFigureName, FigureName, ReliabilityBin} from './weighted-figures.ts'

/** One predictor's figures on tagged documents. */
export interface Figures {
  /**
   * The paper's last-tag task: every tag of a document is hidden in turn, and each document counts the same. With a single
   * tag no other is given; an `Evaluator` can leave such documents out, as the paper does.
   */
  readonly lastTag: {
    readonly accuracy: number
    /** Of the accuracy, over the choice of documents. */
    readonly standardError: number
    readonly documents: number
  }
  /** Mean log P(y) per document, in nats. */
  readonly tagLogLikelihood: number
  /** The standard error of its constant, where that is not exact; not that of the choice of documents. */
  readonly tagLogLikelihoodError?: number
  readonly tagging: TaggingFigures
  /** How many labelled documents a regression learned from; absent for other methods. */
  readonly labelled?: number
  /** One for each group of exclusive concepts; absent where there is none. */
  readonly groups?: readonly GroupFigures[]
  /** Of each figure, over the choice of documents. */
  readonly intervals: Readonly<Record<FigureName, Interval>>
  /** By concept, in the order of the model, with intervals: reports by the rule of `tagging.atThreshold`. */
  readonly perConcept: readonly ConceptFigures[]
}

/** F1 of reporting concepts: of all decisions together, and the mean over the concepts that occur. */
interface DecisionFigures {
  readonly microF1: number
  readonly macroF1: number
}

/**
 * How well the probabilities of all concepts, for documents without labels, agree with the tags. F1 is that of
 * reporting concepts with a probability of at least 0.5.
 */
export interface TaggingFigures extends DecisionFigures {
  /** F1 by the rule of the method, chosen without the tags of these documents. */
  readonly atThreshold: DecisionFigures & RuleFacts
  /** Mean area under the ROC curve over the concepts that are present in some documents and absent in others. */
  readonly macroAuc: number
  /** Mean average precision over the concepts that occur. */
  readonly averagePrecision: number
  /** Mean squared error of the probabilities. */
  readonly brier: number
  /** Mean distance of probability and frequency over fifteen equally wide bins, weighted by their size. */
  readonly calibrationError: number
  /** The bins themselves, lowest first, without empty ones. */
  readonly reliability: readonly ReliabilityBin[]
  /** The share of probabilities of exactly 0 or 1, which no evidence could change any more. */
  readonly saturated: number
}

/** The threshold of a rule, unset where it has others for fired and silent anchors, and where the rule was chosen. */
export interface RuleFacts {
  readonly threshold?: number
  /**
   * On the predictor's training documents, or, as the threshold of highest expected F1, by its probabilities for the
   * evaluated documents, which any user could do as well. Neither uses tags.
   */
  readonly chosenOn: 'training documents' | 'these documents'
}

export interface ConceptFigures extends Readonly<Record<ConceptFigureName, Estimate>> {
  readonly concept: string
  /** Documents with the concept. */
  readonly tags: number
}

/** A model's figures on tagged documents, always beside those of the baselines. */
export interface Evaluation extends Figures {
  readonly documents: number
  readonly concepts: number
  /** Of the intervals. */
  readonly level: number
  /**
   * `prior`, `anchors-only`, `majority-vote` where there are exclusive groups, the oracle if there is one, and other
   * predictors; for a model with word weights also `noisy-or`: the same model by its noisy-or links, which reports show.
   */
  readonly baselines: Readonly<Record<string, BaselineFigures>>
  /** By figure. */
  readonly best: Readonly<Record<FigureName, Best>>
  /** Present where regressions on labelled documents were compared. */
  readonly labelsWorth?: LabelsWorth
}

/**
 * How many labelled documents a regression needs for the average precision of the model, with its interval. All lie between
 * `least` and `most`, the labels of the smallest and the largest regression: at an end the answer is beyond it.
 */
export interface LabelsWorth extends Estimate {
  readonly least: number
  readonly most: number
}

export interface BaselineFigures extends Figures {
  /** Each figure less that of the model on the same documents; clear where the interval leaves out 0. */
  readonly differences: Readonly<Record<FigureName, Estimate>>
}
