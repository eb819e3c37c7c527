import {AdfaError, shownValue, throwIfCancelled} from '../../base/checks/index.ts'
import {type Counts, type CountsHeader, countsFromPatterns, type PatternCount} from '../counts/index.ts'
import {type AnchorIndex, frequenciesByField, indexAnchors, type Lexicon, type WordSurvey} from '../data/index.ts'
import type {CountingEngine} from './counting-engine.ts'
import type {DocumentGroup, DocumentGroups} from './read-groups.ts'

/**
 * Counts documents that a database has already grouped, as the statements of `printCountSql` do. A group names those features of
 * its documents that anchors name; which anchors fire, with vetoes and regular expressions, is decided here, as for documents.
 * Groups with the same anchor pattern are added up. A word `text:fever` is one of the text, where that is a text field.
 */
export function groupsEngine(given: DocumentGroups): CountingEngine {
  return {
    name: 'groups',
    rows: undefined,
    async surveyTags() {
      throw noTags('anchors', 'give `anchors`, and filter documents in the queries')
    },
    async surveyWords(builder, {signal}) {
      throwIfCancelled(signal)
      const {anchors, options} = builder
      const tables = spelled(given, {...options, anchors})
      const reader = indexAnchors(anchors, options.phrases, options.reading)
      builder.addSurvey({
        ...surveyWords(tables, reader, options),
        ...anchorHits(tables.groups, reader, anchors.length)
      })
      return undefined
    },
    async count(header, {labels, onProgress, signal}) {
      throwIfCancelled(signal)
      const {lexicon, labelShare} = header
      if (lexicon.filter !== undefined) throw noTags('minTags', 'count without a filter by tags')
      if (labelShare > 0 || labels !== undefined) throw noTags('labelShare', 'count with a `labelShare` of 0')
      const counts = countGroups(header, spelled(given, lexicon))
      if (counts.concepts.length === 0)
        throw new AdfaError(
          'mismatch',
          'no group has a feature that the anchors name; were the statements printed for other anchors, or for other fields?'
        )
      onProgress?.('counting', counts.documentCount)
      return counts
    },
    close: async () => {}
  }
}

function noTags(option: string, wayOut: string): AdfaError {
  return new AdfaError('bad-option', `groups of documents hold no tags, votes or labels; ${wayOut}`, {
    details: {option}
  })
}

/** In how many documents each anchor feature, and each concept's anchor, fires. */
export function anchorHits(
  groups: Iterable<Pick<DocumentGroup, 'mask' | 'documents'>>,
  reader: AnchorIndex,
  conceptCount: number
): Pick<WordSurvey, 'memberHits' | 'conceptHits'> {
  const {memberConcepts} = reader
  const memberHits = memberConcepts.map(() => 0)
  const conceptHits = Array.from({length: conceptCount}, () => 0)
  for (const {mask, documents} of groups) {
    const members = membersOf(mask, reader)
    for (const member of members) memberHits[member] += documents
    for (const concept of new Set(members.map(member => memberConcepts[member]))) conceptHits[concept] += documents
  }
  return {memberHits, conceptHits}
}

/** Counts groups whose phrases are named as the anchors of the lexicon spell them. */
export function countGroups(header: CountsHeader, {groups, words}: DocumentGroups, labelled?: Float64Array): Counts {
  const {lexicon} = header
  const reader = indexAnchors(lexicon.anchors, lexicon.phrases, lexicon.reading)
  const numbers = new Map(lexicon.words.map((word, j) => [word, j]))
  const ids = words.map(word => numbers.get(word) ?? -1)
  return countsFromPatterns(
    header,
    groups.map(group => toPattern(group, ids, reader)),
    labelled
  )
}

/** The anchor features that a mask fires. A name without a role only makes groups finer than needed, which does no harm. */
export function membersOf(mask: readonly string[], reader: AnchorIndex): number[] {
  return reader.firedMembers(mask.map(name => reader.featureRole(name)).filter(role => role !== undefined))
}

type Reading = Pick<Lexicon, 'anchors' | 'phrases' | 'reading'>

/** The groups with phrases of text named as the anchors spell them; SQL names them by their parts. Other words of text have no blanks. */
function spelled(given: DocumentGroups, {anchors, phrases, reading: text}: Reading): DocumentGroups {
  const {tokens} = indexAnchors(anchors, phrases, text).phrases
  const name = (word: string) => {
    const field = text.text.find(each => word.startsWith(`${each}:`))
    if (field === undefined) return word
    const token = tokens.get(word.slice(field.length + 1))
    if (token === undefined && word.includes(' ', field.length + 1))
      throw new AdfaError(
        'mismatch',
        `${shownValue(word)} is a phrase that these anchors do not have, so the statements cut text in another way; print them again with the anchors that are left`
      )
    return token === undefined ? word : `${field}:${token}`
  }
  const groups = given.groups.map(group => ({...group, mask: group.mask.map(name)}))
  return {groups, words: given.words.map(name)}
}

function surveyWords(
  {groups, words}: DocumentGroups,
  reader: AnchorIndex,
  {reading: text}: Pick<Lexicon, 'reading'>
): Pick<WordSurvey, 'documentCount' | 'frequencies'> {
  const counts = new Float64Array(words.length)
  let documentCount = 0
  for (const group of groups) {
    documentCount += group.documents
    for (let at = 0; at < group.wordIds.length; at++) counts[group.wordIds[at]] += group.wordCounts[at]
  }
  const frequencies = frequenciesByField(text, words.length, id => {
    const word = words[id]
    const found = text.text.findIndex(field => word.startsWith(`${field}:`))
    // A match of an anchor's regular expression is not a word, as in documents.
    const documents = reader.featureRole(word)?.isTaken === true ? 0 : counts[id]
    return found < 0
      ? {field: text.text.length, name: word, documents}
      : {field: found, name: word.slice(text.text[found].length + 1), documents}
  })
  return {documentCount, frequencies}
}

/** The group as an anchor pattern: its members, and its words by their numbers in the lexicon, ascending. */
function toPattern(group: DocumentGroup, ids: readonly number[], reader: AnchorIndex): PatternCount {
  const {documents, wordIds, wordCounts} = group
  const places = wordIds
    .map((_, at) => at)
    .filter(at => ids[wordIds[at]] >= 0)
    .sort((a, b) => ids[wordIds[a]] - ids[wordIds[b]])
  return {
    members: membersOf(group.mask, reader),
    documents,
    wordIds: places.map(at => ids[wordIds[at]]),
    wordCounts: places.map(at => wordCounts[at])
  }
}
