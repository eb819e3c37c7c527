import {type Counts, type CountsHeader, countsFromPatterns} from '../counts/index.ts'
import {
  createFeatureReader,
  fieldNames,
  type Lexicon,
  type LexiconBuilder,
  type TagFilter,
  type TagSurvey
} from '../data/index.ts'
import type {CountingStage, EngineControl} from './counting-engine.ts'
import {groupByPattern, RoleCodes, readLabelled, readNames, readWords, storePatterns} from './duckdb-patterns.ts'
import type {DuckDbSession, StatementControl} from './duckdb-session.ts'
import {chooseDocuments, chosenTotals, findPrefixes, makeTags, makeTokens} from './duckdb-sql.ts'

import {anchorHits, CommonWords} from './feature-roles.ts'

/**
 * The passes over documents that run in SQL, where no document reaches JavaScript. Tables made for one pass serve the next:
 * tags, and the features of the documents chosen last.
 */
export class DuckDbPasses {
  readonly #session: DuckDbSession
  readonly #documentCount: number
  #hasTags = false
  /** The filter that `chosen` and `tokens` were made with, as text. */
  #chosen: string | undefined
  #totals = {documents: 0, areDistinct: false}

  constructor(session: DuckDbSession, documentCount: number) {
    this.#session = session
    this.#documentCount = documentCount
  }

  async surveyTags(survey: TagSurvey, control: EngineControl): Promise<void> {
    const [making, reading] = this.#steps('tags', 2, control)
    await this.#makeTags(making)
    const tags: string[] = []
    const counts: number[] = []
    for await (const {name, documents} of readNames(this.#session, 'tags', reading)) {
      tags.push(name)
      counts.push(documents)
    }
    survey.addSurvey({documentCount: this.#documentCount, tags, counts})
    control.onProgress?.('tags', this.#documentCount)
  }

  async surveyWords(builder: LexiconBuilder, control: EngineControl): Promise<void> {
    const {phrases, text, filter} = builder.options
    const [making, reading, grouping] = this.#steps('vocabulary', 3, control)
    const {documents} = await this.#choose(filter, making)
    const reader = createFeatureReader(builder.anchors, phrases, text)
    const roles = new RoleCodes(reader)
    const words = new CommonWords(builder, reader, documents)
    for await (const token of readNames(this.#session, 'tokens', reading)) if (!roles.add(token)) words.add(token)
    const {patterns} = await groupByPattern(this.#session, roles, {...grouping, documentCount: documents})
    const hits = anchorHits(patterns, reader.memberConcepts, builder.anchors.length)
    builder.addSurvey({documentCount: documents, frequencies: words.finish(), ...hits})
    control.onProgress?.('vocabulary', this.#documentCount)
  }

  async count(header: CountsHeader, control: EngineControl): Promise<Counts> {
    const {lexicon, labelShare} = header
    const {anchors, phrases, text, filter} = lexicon
    const [making, reading, grouping, counting] = this.#steps('counting', 4, control)
    const {documents, areDistinct} = await this.#choose(filter, making)
    const reader = createFeatureReader(anchors, phrases, text)
    const roles = new RoleCodes(reader)
    const unseen = await this.#encodeTokens(lexicon, roles, reading)
    const grouped = await groupByPattern(this.#session, roles, {...grouping, documentCount: documents})
    await storePatterns(this.#session, grouped, roles.roles.count, grouping)
    const patterns = await readWords(this.#session, grouped, areDistinct, counting)
    const concepts = {memberConcepts: reader.memberConcepts, conceptCount: anchors.length}
    if (labelShare === 1) await this.#encodeTags(lexicon, counting)
    const labelled = labelShare === 1 ? await readLabelled(this.#session, grouped, concepts, counting) : undefined
    if (unseen.length > 0) control.onUnseenFields?.(unseen)
    control.onProgress?.('counting', this.#documentCount)
    return countsFromPatterns(header, patterns, labelled)
  }

  async #makeTags(control: StatementControl): Promise<void> {
    if (this.#hasTags) return
    await this.#session.run(makeTags, control)
    this.#hasTags = true
  }

  /** Choose the documents that pass the filter, and count their features. */
  async #choose(filter: TagFilter | undefined, control: StatementControl) {
    const key = JSON.stringify(filter ?? null)
    if (this.#chosen === key) return this.#totals
    this.#chosen = undefined
    if (filter !== undefined) {
      await this.#makeTags(control)
      const wanted = new Set(filter.tags)
      const codes: number[] = []
      for await (const {code, name} of readNames(this.#session, 'tags', control)) if (wanted.has(name)) codes.push(code)
      await this.#session.makeTable('tag_codes', {code: codes})
    }
    for (const sql of chooseDocuments(filter?.minTags)) await this.#session.run(sql, control)
    await this.#session.run(makeTokens, control)
    for await (const [[documents], [listed], [distinct]] of this.#session.columns(chosenTotals, control))
      this.#totals = {documents: Number(documents), areDistinct: listed === distinct}
    this.#chosen = key
    return this.#totals
  }

  /** Number the roles and words of all features. Returns the fields asked for that no document has. */
  async #encodeTokens(lexicon: Lexicon, roles: RoleCodes, control: StatementControl): Promise<string[]> {
    const ids = new Map(lexicon.words.map((word, j) => [word, j]))
    const codes: number[] = []
    const words: number[] = []
    let unseen = fieldNames(lexicon.text)
    for await (const token of readNames(this.#session, 'tokens', control)) {
      unseen = unseen.filter(name => !token.name.startsWith(`${name}:`))
      const isTaken = roles.add(token)
      const word = ids.get(token.name)
      if (isTaken || word === undefined) continue
      codes.push(token.code)
      words.push(word)
    }
    await this.#session.makeTable('word_codes', {code: codes, word: words})
    if (lexicon.filter === undefined || unseen.length === 0) return unseen
    // Documents that do not pass the filter may have them.
    for await (const found of this.#session.columns(findPrefixes(unseen.map(name => `${name}:`)), control))
      return unseen.filter((_, at) => found[at][0] !== true)
    return unseen
  }

  /** Number the tags that are concepts. */
  async #encodeTags({anchors}: Lexicon, control: StatementControl): Promise<void> {
    await this.#makeTags(control)
    const concepts = new Map(anchors.map(({concept}, i) => [concept, i]))
    const codes: number[] = []
    const numbers: number[] = []
    for await (const {code, name} of readNames(this.#session, 'tags', control)) {
      const concept = concepts.get(name)
      if (concept === undefined) continue
      codes.push(code)
      numbers.push(concept)
    }
    await this.#session.makeTable('concept_codes', {code: codes, concept: numbers})
  }

  /** The steps of a stage, each an equal part of its progress. */
  #steps(stage: CountingStage, count: number, {signal, onProgress}: EngineControl): StatementControl[] {
    let most = 0
    return Array.from({length: count}, (_, at) => ({
      signal,
      onShare:
        onProgress &&
        (share => {
          most = Math.max(most, Math.floor((this.#documentCount * (at + share)) / count))
          onProgress(stage, most)
        })
    }))
  }
}
