import type {Model} from '../../src/learn/model/index.ts'
import type {Corpus} from '../../src/read/data/index.ts'
import {type Figures, openEvaluation} from '../../src/use/evaluation/index.ts'
import type {Predictor} from '../../src/use/prediction/index.ts'
import {processorSeconds} from '../bench/bench.ts'
import type {Trained} from './methods.ts'

/** One method on the held-out documents of one split. */
export interface QualityRow {
  readonly method: string
  readonly lastTag: number
  readonly logLikelihood: number
  readonly macroAuc: number
  readonly averagePrecision: number
  readonly microF1: number
  readonly macroF1: number
  /** At the threshold with the highest expected F1, chosen without tags. */
  readonly threshold: number
  readonly thresholdMicroF1: number
  readonly thresholdMacroF1: number
  readonly brier: number
  readonly calibrationError: number
  readonly trainingSeconds?: number
  readonly documentsPerSecond?: number
}

/** Evaluate all methods on the same documents; `prior` and `anchors-only` come with the model. */
export function measure(methods: readonly Trained[], model: Model, heldOut: Corpus): QualityRow[] {
  const evaluation = openEvaluation(model, undefined, Object.fromEntries(methods.map(method => [method.name, method])))
  for (const document of heldOut.documents) if (document.labels !== undefined) evaluation.add(document, document.labels)
  const {baselines} = evaluation.finish()
  return [
    ...['prior', 'anchors-only'].map(name => rowOf(name, baselines[name])),
    ...methods.map(method => ({
      ...rowOf(method.name, baselines[method.name]),
      trainingSeconds: Number(method.seconds.toPrecision(3)),
      documentsPerSecond: speed(method, heldOut)
    }))
  ]
}

function rowOf(method: string, {lastTag, tagLogLikelihood, tagging}: Figures): QualityRow {
  return {
    method,
    lastTag: rounded(lastTag.accuracy),
    logLikelihood: rounded(tagLogLikelihood),
    macroAuc: rounded(tagging.macroAuc),
    averagePrecision: rounded(tagging.averagePrecision),
    microF1: rounded(tagging.microF1),
    macroF1: rounded(tagging.macroF1),
    threshold: rounded(tagging.atThreshold.threshold ?? Number.NaN),
    thresholdMicroF1: rounded(tagging.atThreshold.microF1),
    thresholdMacroF1: rounded(tagging.atThreshold.macroF1),
    brier: rounded(tagging.brier),
    calibrationError: rounded(tagging.calibrationError)
  }
}

const TIMED_DOCUMENTS = 500

/** Documents per second of processor time, after a warm-up. */
function speed(method: Predictor, {documents}: Corpus): number {
  const some = documents.slice(0, TIMED_DOCUMENTS)
  const began = processorSeconds()
  for (const document of some) method.posterior(document)
  return Math.round(some.length / (processorSeconds() - began))
}

/** Five decimals; the rest is noise. */
function rounded(value: number): number {
  return Number(value.toFixed(5))
}
