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
import type {Encoded} from './encode.ts'
import {anchorOf, type Facts} from './facts.ts'
import type {Slices} from './job.ts'
import {countMissed, probabilityOf} from './lists.ts'
import {firedIn} from './state-view.ts'
import type {ConceptView, MemberView, Probe, ProbeExample} from './views.ts'

export async function conceptView({project, documents, results, slices}: Facts, name: string): Promise<ConceptView> {
  const {any, not} = anchorOf(project, name)
  const lists = await Promise.all(any.map(feature => documents.hits(feature, slices)))
  const vetoes = await Promise.all(not.map(feature => documents.hits(feature, slices)))
  const {encoded, examined} = results
  const missed = countMissed(name, results)
  const estimates = examined?.table.find(({concept}) => concept === name)?.estimates ?? []
  return {
    members: memberViews(any, lists, documents.count),
    vetoes: memberViews(not, vetoes, documents.count),
    // A guess predicts, and is not for people.
    estimates: estimates.filter(({method}) => method !== 'guess'),
    ...(encoded && {anchored: firedIn(name, results).length, newest: encoded.newest.get(name)?.length ?? 0}),
    ...(missed !== undefined && {missed})
  }
}

/** Each with its documents, and how many of these no other of them has. */
function memberViews(features: readonly string[], lists: readonly Uint32Array[], count: number): MemberView[] {
  const having = new Uint8Array(count)
  for (const list of lists) for (const at of list) having[at] = Math.min(2, having[at] + 1)
  return features.map((feature, i) => ({
    feature,
    documents: lists[i].length,
    alone: lists[i].reduce((sum, at) => sum + (having[at] === 1 ? 1 : 0), 0)
  }))
}

const EXAMPLES = 5

/** What a feature would bring to a concept. */
export async function probe(facts: Facts, name: string, feature: string): Promise<Probe> {
  const {project, documents, results, slices} = facts
  const text = feature.trim()
  anchorOf(project, name)
  const hits = await documents.hits(text, slices)
  const {encoded} = results
  const own = new Set(firedIn(name, results))
  const fresh = hits.filter(at => !own.has(at))
  const takenBy = project.anchors.find(({concept, any}) => concept !== name && any.includes(text))?.concept
  const near = hits.length === 0 ? nearestFeature(text, documents) : undefined
  return {
    feature: text,
    documents: hits.length,
    fresh: fresh.length,
    overlaps: encoded === undefined ? [] : overlaps(encoded, name, hits),
    examples: evenly(fresh, EXAMPLES).map(at => example(facts, at, text, name)),
    ...(takenBy !== undefined && {takenBy}),
    ...(near !== undefined && {didYouMean: near})
  }
}

function example({documents, results}: Facts, at: number, feature: string, name: string): ProbeExample {
  const probability = probabilityOf(name, results)?.(at)
  const parts = spansAround(documents.row(at), feature, documents.options)
  return {at, name: documents.name(at), ...(probability !== undefined && {probability}), ...parts}
}

function overlaps({lexicon, fired}: Encoded, name: string, hits: Uint32Array): Probe['overlaps'] {
  const isHit = new Set(hits)
  return lexicon.anchors
    .map(({concept}, i) => ({concept, documents: fired[i].reduce((sum, at) => sum + (isHit.has(at) ? 1 : 0), 0)}))
    .filter(({concept, documents}) => concept !== name && documents > 0)
    .sort((a, b) => b.documents - a.documents)
}

function evenly(list: Uint32Array, count: number): number[] {
  const most = Math.min(count, list.length)
  return Array.from({length: most}, (_, k) => list[Math.floor((k * list.length) / most)])
}

/** Other forms of its members first, then words, as `adfa suggest` lists them; undefined where nothing is counted. */
export function suggestions({project, results}: Facts, name: string): ConceptSuggestions | undefined {
  anchorOf(project, name)
  if (results.encoded === undefined) return undefined
  const {lexicon, counts, sampleRows} = results.encoded
  if (!lexicon.anchors.some(({concept}) => concept === name)) return undefined
  const [found] = suggestMembers(counts, sampleRows, {concepts: [name]})
  const {concept, anchor, rates, words} = found
  const [forms, others] = [true, false].map(isOne => words.filter(word => isForm(found, word) === isOne))
  return {concept, anchor, rates, words: [...forms, ...others]}
}

/** Concepts from tags, or from names, with anchors that occur in the documents. */
export async function propose(
  from: {readonly tags: number} | {readonly names: readonly string[]},
  documents: Documents,
  slices: Slices
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
  await slices.each(documents.count, at => survey.add(documents.row(at)))
  return proposeAnchors(from.names, survey.vocabulary()).map(({concept, members}) => ({
    concept,
    any: members.map(({feature}) => feature),
    not: [],
    rates: undefined
  }))
}
