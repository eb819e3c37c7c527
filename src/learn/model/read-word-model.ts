import {arrayAt, numberAt, objectAt} from '../../base/checks/index.ts'
import type {AnchorConstants, Company, WordLength, WordWeightCertificate} from '../words/index.ts'
import type {WordModel} from './model.ts'

/** The `wordModel` of a model file. */
export function readWordModel(value: unknown): WordModel {
  const wordModel = objectAt(value, 'wordModel')
  if (wordModel.kind === 'noisy-or') return {kind: wordModel.kind}
  if (wordModel.kind !== 'weights')
    throw new Error(`wordModel.kind must be "noisy-or" or "weights", not ${JSON.stringify(wordModel.kind)}`)
  return {
    kind: wordModel.kind,
    company: readCompany(wordModel.company),
    weights: table(wordModel.weights, 'wordModel.weights'),
    length: readLength(wordModel.length),
    withWords: readConstants(wordModel.withWords, 'wordModel.withWords'),
    withoutWords: readConstants(wordModel.withoutWords, 'wordModel.withoutWords'),
    firedShare: numberAt(wordModel.firedShare, 'wordModel.firedShare'),
    threshold: numberAt(wordModel.threshold, 'wordModel.threshold'),
    certificate: readCertificate(wordModel.certificate)
  }
}

function readLength(value: unknown): WordLength {
  const {power, typical} = objectAt(value, 'wordModel.length')
  return {power: numberAt(power, 'wordModel.length.power'), typical: numberAt(typical, 'wordModel.length.typical')}
}

function readCompany(value: unknown): Company {
  const {prior, silentAnchor, firedAnchor, absentTag, presentTag} = objectAt(value, 'wordModel.company')
  return {
    prior: list(prior, 'wordModel.company.prior'),
    silentAnchor: table(silentAnchor, 'wordModel.company.silentAnchor'),
    firedAnchor: table(firedAnchor, 'wordModel.company.firedAnchor'),
    absentTag: table(absentTag, 'wordModel.company.absentTag'),
    presentTag: table(presentTag, 'wordModel.company.presentTag')
  }
}

function readConstants(value: unknown, place: string): AnchorConstants {
  const {silent, fired, hidden} = objectAt(value, place)
  return {
    silent: list(silent, `${place}.silent`),
    fired: list(fired, `${place}.fired`),
    hidden: list(hidden, `${place}.hidden`)
  }
}

function readCertificate(value: unknown): WordWeightCertificate {
  const place = 'wordModel.certificate'
  const {source, documents, slope, likeliestSlope, anchorGain, expectedF1} = objectAt(value, place)
  if (source !== 'documents' && source !== 'counts')
    throw new Error(`${place}.source must be "documents" or "counts", not ${JSON.stringify(source)}`)
  const optional = (given: unknown, name: string) =>
    given === undefined ? undefined : numberAt(given, `${place}.${name}`)
  return {
    source,
    documents: numberAt(documents, `${place}.documents`),
    slope: numberAt(slope, `${place}.slope`),
    likeliestSlope: optional(likeliestSlope, 'likeliestSlope'),
    anchorGain: optional(anchorGain, 'anchorGain'),
    expectedF1: numberAt(expectedF1, `${place}.expectedF1`)
  }
}

function list(value: unknown, place: string): number[] {
  return arrayAt(value, place, numberAt)
}

function table(value: unknown, place: string): number[][] {
  return arrayAt(value, place, list)
}
