import {AdfaError} from '../../base/checks/index.ts'
import type {Rng} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {sampleModel} from './sample.ts'

/** A row of a JSON Lines file, its `tags` the whole truth. */
export interface GeneratedDocument {
  readonly id: string
  readonly features: readonly string[]
  readonly tags: readonly string[]
}

/**
 * Documents `first` .. `first + count - 1` of {@link sampleModel} as rows: the anchor features that fired, in the order
 * of the concepts, then the words in ascending order. Ids count from 1 and begin with `options.generator` of the model
 * (`emergency-000001`), or with `document`.
 */
export function generateDocuments(
  model: Model,
  count: number,
  random: Rng,
  {first = 0}: {readonly first?: number} = {}
): Generator<GeneratedDocument, void, undefined> {
  checkFeatures(model)
  return rows(model, sampleModel(model, count, random, {first}), first)
}

function* rows(
  {concepts, lexicon, options}: Model,
  samples: ReturnType<typeof sampleModel>,
  first: number
): Generator<GeneratedDocument, void, undefined> {
  const members = lexicon.anchors.flatMap(anchor => anchor.any)
  const prefix = typeof options.generator === 'string' ? options.generator : 'document'
  let number = first
  for (const {y, evidence} of samples)
    yield {
      id: `${prefix}-${String(++number).padStart(6, '0')}`,
      features: [...evidence.members.map(at => members[at]), ...evidence.words.map(j => lexicon.words[j])],
      tags: concepts.filter((_, i) => y[i] === 1).map(concept => concept.name)
    }
}

/** A row must be read back as the evidence it was drawn from, so every feature is plain and has one meaning. */
function checkFeatures({lexicon}: Model): void {
  const meaning = new Map(lexicon.words.map(word => [word, 'a word']))
  const refuse = (concept: string, feature: string, fault: string) =>
    new AdfaError(
      'bad-model',
      `concept "${concept}": its anchor feature "${feature}" ${fault}; a document must be read back as it was drawn; ` +
        'generate documents from a model whose anchors are plain feature names of their own'
    )
  for (const {concept, any} of lexicon.anchors) {
    for (const feature of any) {
      if (/^(?:[^/:]+:)?\/.+\/[a-z]*$/s.test(feature)) throw refuse(concept, feature, 'is a regular expression')
      const other = meaning.get(feature)
      if (other !== undefined) throw refuse(concept, feature, `is also ${other}`)
      meaning.set(feature, `an anchor of "${concept}"`)
    }
  }
  for (const {concept, not} of lexicon.anchors)
    for (const feature of not)
      if (meaning.has(feature)) throw refuse(concept, feature, `is a veto and also ${meaning.get(feature)}`)
}
