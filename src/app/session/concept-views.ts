/** What the Anchors page asks about a concept: its members, rates and estimators, what a feature would bring, suggestions. */
import {AdfaError} from '../../base/checks/index.ts'
import {type Anchors, anchorsFromTags} from '../../read/data/index.ts'
import {
  type ConceptSuggestions,
  isForm,
  proposeAnchors,
  suggestMembers,
  VocabularySurvey
} from '../../use/advice/index.ts'
import {nearestFeature, spansAround} from './document-views.ts'
import type {Documents} from './documents.ts'
import {anchorOf, type Facts, firedIn, probabilityOf, thresholdOf} from './facts.ts'
import type {Results} from './pipeline.ts'
import type {Work} from './work.ts'

export type ConceptView = Awaited<ReturnType<typeof conceptView>>

export async function conceptView({project, documents, results, work}: Facts, name: string) {
  const {any, not} = anchorOf(project, name)
  const hitsOf = (features: readonly string[]) =>
    Promise.all(features.map(async feature => ({feature, hits: await work.slices(documents.index.scan(feature))})))
  return {
    members: memberViews(await hitsOf(any), documents.count),
    vetoes: memberViews(await hitsOf(not), documents.count),
    /** Documents; undefined where they are not known. */
    anchored: results.encoded && firedIn(name, results).length,
    missed: countMissed(name, results)
  }
}

export type MemberView = ReturnType<typeof memberViews>[number]

/** Each with its documents, and how many of these no other of them has. */
function memberViews(features: readonly {readonly feature: string; readonly hits: Uint32Array}[], count: number) {
  const having = new Uint8Array(count)
  for (const {hits} of features) for (const at of hits) having[at] = Math.min(2, having[at] + 1)
  return features.map(({feature, hits}) => ({
    feature,
    documents: hits.length,
    alone: hits.filter(at => having[at] === 1).length
  }))
}

/** Documents that likely have the concept although its anchor does not fire; undefined without a model that has it. */
function countMissed(name: string, results: Results): number | undefined {
  const probability = probabilityOf(name, results)
  const {encoded, scored} = results
  if (probability === undefined || scored === undefined || encoded === undefined) return undefined
  const threshold = thresholdOf(scored.learned.model)
  const fired = new Set(firedIn(name, results))
  let count = 0
  for (let at = 0; at < encoded.documents.count; at++) if (probability(at) >= threshold && !fired.has(at)) count++
  return count
}

const EXAMPLES = 5

export type Probe = Awaited<ReturnType<typeof probe>>
export type ProbeExample = Probe['examples'][number]

/** What a feature would bring to a concept. */
export async function probe({project, documents, results, work}: Facts, name: string, typed: string) {
  const feature = typed.trim()
  anchorOf(project, name)
  const hits = await work.slices(documents.index.scan(feature))
  const own = new Set(firedIn(name, results))
  const fresh = hits.filter(at => !own.has(at))
  const isHit = new Set(hits)
  const overlaps = (results.encoded?.lexicon.anchors ?? []).map(({concept}) => {
    return {concept, documents: firedIn(concept, results).filter(at => isHit.has(at)).length}
  })
  const shown = Math.min(EXAMPLES, fresh.length)
  const probability = probabilityOf(name, results)
  return {
    feature,
    /** Documents with the feature, and those of them that the concept does not have yet. */
    documents: hits.length,
    fresh: fresh.length,
    /** Other concepts whose anchors fire in these documents, most first. */
    overlaps: overlaps
      .filter(({concept, documents}) => concept !== name && documents > 0)
      .sort((a, b) => b.documents - a.documents),
    /** Five of the new documents, evenly from all of them. */
    examples: Array.from({length: shown}, (_, k) => {
      const at = fresh[Math.floor((k * fresh.length) / shown)]
      const place = spansAround(documents.row(at), feature, documents.options)
      return {at, name: documents.name(at), probability: probability?.(at), ...place}
    }),
    /** A frequent name that the feature may have been meant for, where it occurs nowhere. */
    didYouMean: hits.length === 0 ? nearestFeature(feature, documents) : undefined
  }
}

/** Other forms of its members first, then words, as `adfa suggest` lists them; undefined where nothing is counted. */
export function suggestions({project, results}: Facts, name: string): ConceptSuggestions | undefined {
  anchorOf(project, name)
  const {lexicon, counts, sampleRows} = results.encoded ?? {}
  if (!counts || !lexicon?.anchors.some(({concept}) => concept === name)) return undefined
  const [found] = suggestMembers(counts, sampleRows, {concepts: [name]})
  const [forms, others] = [true, false].map(isOne => found.words.filter(word => isForm(found, word) === isOne))
  return {...found, words: [...forms, ...others]}
}

/** Concepts from tags, or from names, with anchors that occur in the documents. */
export async function propose(
  from: {readonly tags: number} | {readonly names: readonly string[]},
  documents: Documents,
  work: Work
): Promise<Anchors> {
  const {options} = documents
  if ('tags' in from) {
    const tags = documents.tags().slice(0, from.tags)
    if (tags.length === 0)
      throw new AdfaError(
        'bad-document',
        'the documents have no tags; name the concepts instead, or choose the column of tags'
      )
    return anchorsFromTags(
      tags.map(({tag}) => tag),
      options.text
    )
  }
  const survey = new VocabularySurvey(from.names, options)
  await work.each(documents.count, at => survey.add(documents.row(at)))
  return proposeAnchors(from.names, survey.vocabulary()).map(({concept, members}) => ({
    concept,
    any: members.map(({feature}) => feature),
    not: [],
    rates: undefined
  }))
}
