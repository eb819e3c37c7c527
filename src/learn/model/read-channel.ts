import type {AnchorConstants, Company, LogOddsCertificate, WordLength} from '../words/index.ts'
import {arrayAt, numberAt, objectAt} from './json-parts.ts'
import type {Channel} from './model.ts'

/** The `channel` of a model file. */
export function readChannel(value: unknown): Channel {
  const channel = objectAt(value, 'channel')
  if (channel.kind === 'noisy-or') return {kind: channel.kind}
  if (channel.kind !== 'log-odds')
    throw new Error(`channel.kind must be "noisy-or" or "log-odds", not ${JSON.stringify(channel.kind)}`)
  return {
    kind: channel.kind,
    company: readCompany(channel.company),
    weights: table(channel.weights, 'channel.weights'),
    length: readLength(channel.length),
    withWords: readConstants(channel.withWords, 'channel.withWords'),
    withoutWords: readConstants(channel.withoutWords, 'channel.withoutWords'),
    firedShare: numberAt(channel.firedShare, 'channel.firedShare'),
    threshold: numberAt(channel.threshold, 'channel.threshold'),
    certificate: readCertificate(channel.certificate)
  }
}

function readLength(value: unknown): WordLength {
  const {power, typical} = objectAt(value, 'channel.length')
  return {power: numberAt(power, 'channel.length.power'), typical: numberAt(typical, 'channel.length.typical')}
}

function readCompany(value: unknown): Company {
  const {prior, silentAnchor, firedAnchor, absentTag, presentTag} = objectAt(value, 'channel.company')
  return {
    prior: list(prior, 'channel.company.prior'),
    silentAnchor: table(silentAnchor, 'channel.company.silentAnchor'),
    firedAnchor: table(firedAnchor, 'channel.company.firedAnchor'),
    absentTag: table(absentTag, 'channel.company.absentTag'),
    presentTag: table(presentTag, 'channel.company.presentTag')
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

function readCertificate(value: unknown): LogOddsCertificate {
  const place = 'channel.certificate'
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
