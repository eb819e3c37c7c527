import {arrayAt, fieldsAt, numberAt, objectAt, type ReadAt} from '../../base/checks/index.ts'
import type {WordWeightCertificate} from '../words/index.ts'
import type {WordModel} from './model.ts'

/** The `wordModel` of a model file. */
export function readWordModel(value: unknown): WordModel {
  const wordModel = objectAt(value, 'wordModel')
  if (wordModel.kind === 'noisy-or') return {kind: wordModel.kind}
  if (wordModel.kind !== 'weights')
    throw new Error(`wordModel.kind must be "noisy-or" or "weights", not ${JSON.stringify(wordModel.kind)}`)
  const part = <Name extends string, T>(name: string, keys: readonly Name[], read: ReadAt<T>) =>
    fieldsAt(wordModel[name], `wordModel.${name}`, keys, read)
  const states = ['silent', 'fired', 'hidden'] as const
  return {
    kind: wordModel.kind,
    company: {
      ...part('company', ['prior'], list),
      ...part('company', ['silentAnchor', 'firedAnchor', 'absentTag', 'presentTag'], table)
    },
    weights: table(wordModel.weights, 'wordModel.weights'),
    length: part('length', ['power', 'typical'], numberAt),
    withWords: part('withWords', states, list),
    withoutWords: part('withoutWords', states, list),
    ...fieldsAt(wordModel, 'wordModel', ['firedShare', 'threshold'], numberAt),
    certificate: readCertificate(wordModel.certificate)
  }
}

function readCertificate(value: unknown): WordWeightCertificate {
  const place = 'wordModel.certificate'
  const {source} = objectAt(value, place)
  if (source !== 'documents' && source !== 'counts')
    throw new Error(`${place}.source must be "documents" or "counts", not ${JSON.stringify(source)}`)
  return {
    source,
    ...fieldsAt(value, place, ['documents', 'slope'], numberAt),
    ...fieldsAt(value, place, ['likeliestSlope', 'anchorGain'], (given, at) =>
      given === undefined ? undefined : numberAt(given, at)
    ),
    ...fieldsAt(value, place, ['expectedF1'], numberAt)
  }
}

function list(value: unknown, place: string): number[] {
  return arrayAt(value, place, numberAt)
}

function table(value: unknown, place: string): number[][] {
  return arrayAt(value, place, list)
}
