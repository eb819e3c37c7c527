import {AdfaError} from '../../base/checks/index.ts'
import {type AnchorIndex, indexAnchors} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {checkAnchors} from './check-anchors.ts'
import type {Lexicon, LexiconOptions} from './lexicon.ts'
import type {SeenFeature} from './name-hint.ts'
import {valueFieldNames} from './row-fields.ts'
import {byCodeUnit, TokenFrequencies} from './token-frequencies.ts'
import {readVote} from './votes.ts'
import type {WordSurvey} from './word-survey.ts'

/**
 * Learns the vocabulary and checks the anchors, from surveys of documents: per field, words in more than `maxShare` of the
 * documents are dropped, then the `vocabulary` most frequent kept, ties by name. Row order does not matter. Each
 * category, number and list is a field of its own, so that many drugs leave room for age and sex; such a value is
 * dropped only when all documents have it, since the larger of two halves (`sex:m`) is not a stop word.
 */
export class LexiconBuilder {
  readonly anchors: Anchors
  readonly options: LexiconOptions
  readonly #index: AnchorIndex
  /** Per text field, then for `features`, then per category, number and list. */
  readonly #fields: readonly TokenFrequencies[]
  readonly #memberHits: number[]
  readonly #conceptHits: number[]
  #documents = 0

  constructor(anchors: Anchors, options: LexiconOptions) {
    this.anchors = anchors
    this.options = options
    this.#index = indexAnchors(anchors, options.phrases, options.reading)
    const fieldCount = options.reading.text.length + 1 + valueFieldNames(options.reading).length
    this.#fields = Array.from({length: fieldCount}, () => new TokenFrequencies(options.distinctWords))
    this.#memberHits = this.#index.memberConcepts.map(() => 0)
    this.#conceptHits = anchors.map(() => 0)
  }

  /** Add the survey of some documents, read by these anchors and options. When there are too many words, the rarest are forgotten. */
  addSurvey({documentCount, frequencies, memberHits, conceptHits}: WordSurvey): void {
    this.#documents += documentCount
    this.#fields.forEach((field, place) => {
      field.add(frequencies[place])
      field.endBatch()
    })
    addTo(this.#memberHits, memberHits)
    addTo(this.#conceptHits, conceptHits)
  }

  /**
   * Refuses anchors that cannot work; or, when they may be skipped, returns a fresh builder without them, which must read
   * the documents again, since phrases and patterns of other anchors change how text is read. Undefined when all work.
   */
  withoutBadAnchors(): LexiconBuilder | undefined {
    const {filter, skipped} = this.options
    if (this.#documents === 0)
      throw new AdfaError(
        'bad-document',
        filter === undefined
          ? 'there are no documents; learning needs some'
          : `no document has at least ${filter.minTags} of the ${filter.tags.length} most frequent tags; lower \`minTags\` or raise \`ofTop\``
      )
    const checked = checkAnchors(this.anchors, this.options, {
      documentCount: this.#documents,
      memberHits: this.#memberHits,
      conceptHits: this.#conceptHits,
      seen: () => this.#vocabulary()
    })
    if (checked.skipped.length === 0) return undefined
    return new LexiconBuilder(checked.anchors, {...this.options, skipped: [...skipped, ...checked.skipped]})
  }

  /** The lexicon, once {@link withoutBadAnchors} returns undefined. */
  finish(): Lexicon {
    const {skipBadAnchors, distinctWords, ...reading} = this.options
    const words = this.#vocabulary().map(({name}) => name)
    const shortfall = Math.max(...this.#fields.map(frequencies => frequencies.shortfall))
    return {
      anchors: this.anchors,
      words: [...new Set(words)].sort(byCodeUnit),
      ...reading,
      ...(shortfall > 0 ? {vocabularyError: shortfall} : {})
    }
  }

  /** The words to keep. Every engine surveys these and their counts, though not every rarer word. */
  #vocabulary(): SeenFeature[] {
    const {reading} = this.options
    const features = reading.text.length
    return this.#fields.flatMap((frequencies, place) => {
      const field = Math.min(place, features)
      // Most documents may have a vote against a concept, or a category: only what all have says nothing.
      const isCommon = (token: string, count: number) =>
        place > features || (place === features && readVote(token) !== undefined)
          ? count === this.#documents
          : count / this.#documents > reading.maxShare
      return frequencies
        .commonest(reading.vocabulary, (token, count) => !isCommon(token, count) && !this.#index.isAnchor(field, token))
        .map(([token, documents]) => ({name: featureName(field, token, reading.text), documents}))
    })
  }
}

function addTo(sums: number[], more: readonly number[]): void {
  for (let at = 0; at < sums.length; at++) sums[at] += more[at]
}

/** The name of a word: `field:token` from text, the token itself from `features`. */
export function featureName(field: number, token: string, fields: readonly string[]): string {
  return field < fields.length ? `${fields[field]}:${token}` : token
}
