import {AdfaError, shownValue, throwIfCancelled} from '../../base/checks/index.ts'
import {type Counts, type CountsHeader, countsFromPatterns, type PatternCount} from '../counts/index.ts'
import {type AnchorIndex, frequenciesByField, indexAnchors, type WordSurvey} from '../data/index.ts'
import {type CountedWords, refusalInSql} from '../sql/index.ts'
import type {CountingEngine, EngineControl} from './counting-engine.ts'
import type {DocumentGroup, DocumentGroups} from './read-groups.ts'

/** What makes groups of documents by the features of anchors: a database, or files of what one has made. */
export interface GroupSource extends Pick<CountingEngine, 'name' | 'close'> {
  /** The groups by these anchors, with these words, or with all that the vocabulary may take. */
  groups(counted: CountedWords, words: readonly string[] | undefined, control: EngineControl): Promise<DocumentGroups>
}

/**
 * Counts documents that a database has grouped, by the statements of `countStatements`. A group names those features of its
 * documents that anchors name; which anchors fire, with vetoes and regular expressions, is decided here, as for documents.
 * Groups with the same anchor pattern are added up.
 */
export function engineOfGroups(source: GroupSource): CountingEngine {
  const count = (header: CountsHeader, groups: DocumentGroups, {onProgress}: EngineControl): Counts => {
    const {lexicon} = header
    const numbers = new Map(lexicon.words.map((word, j) => [word, j]))
    const ids = groups.words.map(word => numbers.get(word) ?? -1)
    const index = indexAnchors(lexicon.anchors, lexicon.phrases, lexicon.reading)
    const patterns = groups.groups.map(group => toPattern(group, ids, index))
    const counts = countsFromPatterns(header, patterns)
    onProgress?.('counting', counts.documentCount)
    return counts
  }
  return {
    name: source.name,
    rows: undefined,
    async surveyTags() {
      throw refusalInSql(`${TAGS}, so they give neither anchors nor a filter (\`minTags\`)`)
    },
    async surveyWords(builder, control) {
      const {anchors, options} = builder
      const counted = {anchors, phrases: options.phrases, reading: options.reading}
      refuseTags(options.filter, control.counting?.labelShare ?? 0, control)
      const groups = spelled(await source.groups(counted, undefined, control), counted)
      const survey = surveyGroups(groups, counted)
      builder.addSurvey(survey)
      control.onProgress?.('vocabulary', survey.documentCount)
      return async header => count(header, groups, control)
    },
    async count(header, control) {
      const {lexicon, labelShare} = header
      refuseTags(lexicon.filter, labelShare, control)
      return count(header, spelled(await source.groups(lexicon, lexicon.words, control), lexicon), control)
    },
    close: () => source.close()
  }
}

/** Counts groups that a database has made, as `readGroups` reads them. */
export function groupsEngine(given: DocumentGroups): CountingEngine {
  return engineOfGroups({
    name: 'groups',
    async groups(counted, words, {signal}) {
      throwIfCancelled(signal)
      const index = indexAnchors(counted.anchors, counted.phrases, counted.reading)
      const hasRole = (name: string) => index.featureRole(name) !== undefined
      // Where the words are learned, an anchor that never fires is refused by name.
      if (words === undefined || spelled(given, counted).groups.some(({mask}) => mask.some(hasRole))) return given
      throw new AdfaError(
        'mismatch',
        'no group has a feature that the anchors name; were the statements printed for other anchors, or for other fields?'
      )
    },
    close: async () => {}
  })
}

const TAGS = 'databases count words here, and read no tags, votes or labels'

function refuseTags(filter: object | undefined, labelShare: number, {labels}: EngineControl): void {
  if (filter !== undefined) throw refusalInSql(`${TAGS}, so nothing is filtered by tags (\`minTags\`)`)
  if (labelShare > 0 || labels !== undefined) throw refusalInSql(`${TAGS}, so none are counted (\`labelShare\`)`)
}

/** The anchor features that a mask fires. A name without a role only makes groups finer than needed, which does no harm. */
function membersOf(mask: readonly string[], index: AnchorIndex): number[] {
  return index.firedMembers(mask.map(name => index.featureRole(name)).filter(role => role !== undefined))
}

/** The groups with phrases of text named as the anchors spell them; SQL names them by their parts. Other words of text have no blanks. */
function spelled({groups, words, text}: DocumentGroups, {anchors, phrases, reading}: CountedWords): DocumentGroups {
  const {tokens} = indexAnchors(anchors, phrases, reading).phrases
  const fields = text ?? reading.text
  const name = (word: string) => {
    const field = fields.find(each => word.startsWith(`${each}:`))
    if (field === undefined) return word
    const token = tokens.get(word.slice(field.length + 1))
    if (token === undefined && word.includes(' ', field.length + 1))
      throw new AdfaError(
        'mismatch',
        `${shownValue(word)} is a phrase that these anchors do not have, so the statements cut text in another way; print them again with the anchors that are left`
      )
    return token === undefined ? word : `${field}:${token}`
  }
  return {groups: groups.map(group => ({...group, mask: group.mask.map(name)})), words: words.map(name), text: fields}
}

/** In how many documents each word occurs, and each member and each concept's anchor fires. */
function surveyGroups(
  {groups, words, text = []}: DocumentGroups,
  {anchors, phrases, reading}: CountedWords
): WordSurvey {
  const index = indexAnchors(anchors, phrases, reading)
  const {memberConcepts} = index
  const counts = new Float64Array(words.length)
  const memberHits = memberConcepts.map(() => 0)
  const conceptHits = anchors.map(() => 0)
  let documentCount = 0
  for (const {mask, documents, wordIds, wordCounts} of groups) {
    documentCount += documents
    for (let at = 0; at < wordIds.length; at++) counts[wordIds[at]] += wordCounts[at]
    const members = membersOf(mask, index)
    for (const member of members) memberHits[member] += documents
    for (const concept of new Set(members.map(member => memberConcepts[member]))) conceptHits[concept] += documents
  }
  const frequencies = frequenciesByField(reading, words.length, id => {
    const word = words[id]
    const field = reading.text.find(each => text.includes(each) && word.startsWith(`${each}:`))
    // A match of an anchor's regular expression is not a word, as in documents.
    const documents = index.featureRole(word)?.isTaken === true ? 0 : counts[id]
    return field === undefined
      ? {field: reading.text.length, name: word, documents}
      : {field: reading.text.indexOf(field), name: word.slice(field.length + 1), documents}
  })
  return {documentCount, frequencies, memberHits, conceptHits}
}

/** The group as an anchor pattern: its members, and its words by their numbers in the lexicon, ascending. */
function toPattern(
  {mask, documents, wordIds, wordCounts}: DocumentGroup,
  ids: readonly number[],
  index: AnchorIndex
): PatternCount {
  const places = wordIds
    .map((_, at) => at)
    .filter(at => ids[wordIds[at]] >= 0)
    .sort((a, b) => ids[wordIds[a]] - ids[wordIds[b]])
  return {
    members: membersOf(mask, index),
    documents,
    wordIds: places.map(at => ids[wordIds[at]]),
    wordCounts: places.map(at => wordCounts[at])
  }
}
