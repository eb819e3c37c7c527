/**
 * adfa/baselines: simpler methods to compare a model with, trained on anchors, and ceilings trained on tags.
 *
 *     import {trainBaselines} from 'adfa/baselines'
 *
 *     evaluate(model, test, undefined, trainBaselines(training, model.concepts))
 */
export type {Baseline, BaselineCertificate, BaselineTrainer, NoisyOrCertificate} from './baseline.ts'
export {fitNoisyOr} from './models-from-tags.ts'
export {type NoisyLoss, type NoisyTarget, noisyTarget, positiveUnlabelledLabels} from './noisy-labels.ts'
export {anchorsInNetwork, type BaselineName, trainBaselines} from './train-baselines.ts'
export {type CeilingName, labelledSizes, trainCeiling} from './train-ceiling.ts'
export type {BaselineControl, BaselineOptions} from './train-classifiers.ts'
export {majorityBaseline, trainVoteBaselines, type VoteBaselineName} from './train-vote-baselines.ts'
