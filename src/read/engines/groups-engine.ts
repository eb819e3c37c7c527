import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {countsFromPatterns, type PatternCount} from '../counts/index.ts'
import {createFeatureReader, type FeatureReader, valueFieldNames, type WordSurvey} from '../data/index.ts'
import type {CountingEngine} from './counting-engine.ts'
import {anchorHits} from './feature-roles.ts'
import type {DocumentGroup, DocumentGroups} from './read-groups.ts'

/**
 * Counts documents that a database has already grouped with GROUP BY. A group names those features of its documents that
 * anchors name; which anchors fire, with vetoes and regular expressions, is decided here, as for documents.
 * Groups with the same anchor pattern are added up.
 */
export function groupsEngine(given: DocumentGroups): CountingEngine {
  return {
    name: 'groups',
    rows: undefined,
    async surveyTags() {
      throw new AdfaError(
        'bad-option',
        'groups of documents hold no tags; give `anchors`, and filter documents in the queries'
      )
    },
    async surveyWords(builder, {signal}) {
      throwIfCancelled(signal)
      const {phrases, text} = builder.options
      if (valueFieldNames(text).length + text.votes.length > 0)
        throw new AdfaError(
          'bad-option',
          'groups of documents hold ready-made words; leave `category`, `number`, `list` and `votes` out, and make words of them in the queries'
        )
      const reader = createFeatureReader(builder.anchors, phrases, text)
      builder.addSurvey(surveyGroups(given, reader, {concepts: builder.anchors.length, textFields: text.fields.length}))
    },
    async count(header, {onProgress, signal}) {
      throwIfCancelled(signal)
      const {anchors, phrases, text, words} = header.lexicon
      const reader = createFeatureReader(anchors, phrases, text)
      const numbers = new Map(words.map((word, j) => [word, j]))
      const ids = given.words.map(word => numbers.get(word) ?? -1)
      const patterns = given.groups.map(group => toPattern(group, ids, reader))
      const counts = countsFromPatterns(header, patterns)
      onProgress?.('counting', counts.documentCount)
      return counts
    },
    close: async () => {}
  }
}

function surveyGroups(
  {groups, words}: DocumentGroups,
  reader: FeatureReader,
  {concepts, textFields}: {readonly concepts: number; readonly textFields: number}
): WordSurvey {
  const counts = new Float64Array(words.length)
  let documentCount = 0
  for (const group of groups) {
    documentCount += group.documents
    for (let at = 0; at < group.wordIds.length; at++) counts[group.wordIds[at]] += group.wordCounts[at]
  }
  // A match of an anchor's regular expression is not a word, as in documents.
  const kept = [...words.keys()].filter(id => reader.featureRole(words[id])?.isTaken !== true)
  const features = {tokens: kept.map(id => words[id]), counts: Float64Array.from(kept, id => counts[id])}
  const none = {tokens: [], counts: new Float64Array(0)}
  const frequencies = [...Array.from({length: textFields}, () => none), features]
  const firing = groups.map(group => ({members: membersOf(group, reader), documents: group.documents}))
  return {documentCount, frequencies, ...anchorHits(firing, reader.memberConcepts, concepts)}
}

/** The group as an anchor pattern: its members, and its words by their numbers in the lexicon, ascending. */
function toPattern(group: DocumentGroup, ids: readonly number[], reader: FeatureReader): PatternCount {
  const {documents, wordIds, wordCounts} = group
  const places = wordIds
    .map((_, at) => at)
    .filter(at => ids[wordIds[at]] >= 0)
    .sort((a, b) => ids[wordIds[a]] - ids[wordIds[b]])
  return {
    members: membersOf(group, reader),
    documents,
    wordIds: places.map(at => ids[wordIds[at]]),
    wordCounts: places.map(at => wordCounts[at])
  }
}

/** A name without a role only makes groups finer than needed, which does no harm. */
function membersOf({mask}: DocumentGroup, reader: FeatureReader): number[] {
  return reader.firedMembers(mask.map(name => reader.featureRole(name)).filter(role => role !== undefined))
}
