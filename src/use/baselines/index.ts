/**
 * adfa/baselines: simpler methods to compare a model with, trained on anchors, and ceilings trained on tags.
 *
 *     import {trainBaselines} from 'adfa/baselines'
 *
 *     evaluate(model, test, undefined, trainBaselines(training, model.concepts))
 */
export type {Baseline, BaselineCertificate, BaselineTrainer} from './baseline.ts'
export {fitNoisyOr, type NoisyOrCertificate} from './fit-noisy-or.ts'
export {type NoisyLoss, type NoisyTarget, noisyTarget, positiveUnlabelledLabels} from './noisy-labels.ts'
export {anchorsInNetwork, type BaselineName, trainBaselines} from './train-baselines.ts'
export {type CeilingName, labelledSizes, trainCeiling} from './train-ceiling.ts'
export {type BaselineControl, type BaselineOptions, baselineDefaults} from './train-classifiers.ts'
export {majorityBaseline, trainVoteBaselines, type VoteBaselineName} from './train-vote-baselines.ts'
