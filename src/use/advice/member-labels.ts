/**
 * The precision of single members, and of all members in one text field, by labelled documents. What a member adds to its
 * anchor are the documents where it alone fires, so these are judged.
 */
import type {RateInterval} from '../../learn/noise/index.ts'
import type {CorpusDocument, Lexicon} from '../../read/data/index.ts'
import {shareInterval} from './anchor-statistics.ts'
import {fieldOf} from './name-similarity.ts'

/** Labelled documents, and the share of them that have the concept, with its 90% interval. */
export interface LabelledShare {
  readonly documents: number
  readonly precision: RateInterval
}

export interface MemberLabels {
  /** Where no other member of its anchor fires. */
  readonly alone: LabelledShare
  /** Where another one does. */
  readonly others: LabelledShare
}

/** The members in one text field, over the anchors that have members in several. */
export interface FieldFacts {
  readonly field: string
  /** Concepts with labelled documents where only members in this field fire; these documents, counted for each concept. */
  readonly concepts: number
  readonly alone: LabelledShare
  /** Most of these documents do not have the concept: at most a third at the upper end of the interval. */
  readonly isWeak: boolean
}

type Tally = [documents: number, present: number]

/** For every member, numbered through all anchors; empty without labels. Cost: one pass over the members that fire. */
export function memberLabels({anchors}: Lexicon, documents: Iterable<CorpusDocument>): MemberLabels[] {
  const alone: Tally[] = []
  const concepts: Tally[] = []
  eachLabelled(anchors, documents, (i, present, members) => {
    add(concepts, i, present)
    if (members.length === 1) add(alone, members[0], present)
  })
  if (concepts.length === 0) return []
  return anchors
    .flatMap(({any}, i) => any.map(() => i))
    .map((i, k) => {
      const [own, rest] = [alone[k] ?? [0, 0], concepts[i] ?? [0, 0]]
      return {alone: shareOf(own), others: shareOf([rest[0] - own[0], rest[1] - own[1]])}
    })
}

/** Fewer concepts or documents do not show a field to be weak. */
const LEAST_CONCEPTS = 5
const LEAST_DOCUMENTS = 30
/** A document that is reported raises F1 if it is right with a probability above F1/2; good models have an F1 of two thirds. */
const LEAST_SHARE = 1 / 3

/**
 * Compares text fields, for the anchors that have members in several; empty without labels. Concepts differ, so the interval
 * is that of a sample of concepts: as many independent documents as have the variance of the pooled share between concepts.
 */
export function fieldFacts({anchors, reading}: Lexicon, documents: Iterable<CorpusDocument>): FieldFacts[] {
  const field = (name: string) => reading.text.indexOf(fieldOf(name, reading.text) ?? '')
  const fields = anchors.flatMap(({any}) => any.map(field))
  const isMixed = anchors.map(({any}) => new Set(any.map(field)).size > 1)
  const tallies: Tally[][] = reading.text.map(() => [])
  eachLabelled(anchors, documents, (i, present, members) => {
    const [first, ...others] = new Set(members.map(k => fields[k]))
    if (isMixed[i] && first >= 0 && others.length === 0) add(tallies[first], i, present)
  })
  return reading.text.flatMap((field, at) => {
    const own = Object.values(tallies[at])
    if (own.length === 0) return []
    const alone = pooledShare(own)
    const isEnough = own.length >= LEAST_CONCEPTS && alone.documents >= LEAST_DOCUMENTS
    return [{field, concepts: own.length, alone, isWeak: isEnough && alone.precision.high < LEAST_SHARE}]
  })
}

function eachLabelled(
  anchors: Lexicon['anchors'],
  documents: Iterable<CorpusDocument>,
  visit: (concept: number, present: number, members: readonly number[]) => void
): void {
  const conceptOf = anchors.flatMap(({any}, i) => any.map(() => i))
  for (const {anchors: fired, members, labels} of documents)
    for (const i of fired)
      if (labels !== undefined && labels[i] !== -1)
        visit(
          i,
          labels[i],
          members.filter(k => conceptOf[k] === i)
        )
}

function add(tallies: Tally[], at: number, present: number): void {
  const [documents, hits] = tallies[at] ?? [0, 0]
  tallies[at] = [documents + 1, hits + present]
}

function shareOf([documents, present]: Tally): LabelledShare {
  return {documents, precision: shareInterval(present, documents)}
}

function pooledShare(tallies: readonly Tally[]): LabelledShare {
  const sum = (at: 0 | 1) => tallies.reduce((total, tally) => total + tally[at], 0)
  const [documents, present] = [sum(0), sum(1)]
  const share = present / documents
  const squares = tallies.reduce((total, [size, hits]) => total + (hits - share * size) ** 2, 0)
  const variance = (squares / documents ** 2) * (tallies.length / Math.max(1, tallies.length - 1))
  const independent = variance > 0 ? Math.min(documents, (share * (1 - share)) / variance) : documents
  return {documents, precision: {...shareInterval(share * independent, independent), value: share}}
}
