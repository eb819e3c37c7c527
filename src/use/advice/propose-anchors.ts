import {AdfaError, nearestNames} from '../../base/checks/index.ts'
import {byCodeUnit, isFunctionWord} from '../../read/data/index.ts'
import {isEmptyName, namesOf, nameWords} from './name-similarity.ts'
import {type FormKind, type Vocabulary, type WordForm, wordForms} from './word-forms.ts'

/** A feature proposed for the anchor of a concept: the name itself, or a form of it. */
export interface ProposedMember extends Omit<WordForm, 'kind'> {
  readonly kind: 'name' | FormKind
}

/** Why a name, or a feature of that name, is left out. */
export type ProposalNote =
  | {readonly kind: 'function-word'; readonly name: string}
  /** The words of a phrase may occur `apart`. */
  | {
      readonly kind: 'absent'
      readonly name: string
      readonly isPhrase: boolean
      readonly apart: readonly {readonly word: string; readonly documents: number}[]
    }
  | {readonly kind: 'common'; readonly name: string; readonly share: number}
  | {readonly kind: 'taken'; readonly name: string; readonly by: string}

/** The anchor proposed for a concept. */
export interface ProposedAnchor {
  readonly concept: string
  /** The name itself first, then its forms, the most frequent first; empty where nothing occurs. */
  readonly members: readonly ProposedMember[]
  /** Similar words that documents do not confirm: not part of the anchor unless a person adds them. */
  readonly doubtful: readonly ProposedMember[]
  /** Where nothing occurs: words with the nearest spelling. */
  readonly near: readonly string[]
  readonly notes: readonly ProposalNote[]
}

/** A word in a larger share of the documents marks no concept; `diagnose` calls it "always". */
const LARGEST_SHARE = 0.5
const NEAREST = 3
/** The closer a word is to a name, the more it belongs to it. */
const KINDS: readonly ProposedMember['kind'][] = ['name', 'inflected', 'spelling', 'stem']

/**
 * An anchor for each name as a person types it ("alcohol", "chest pain", "heart failure (CHF)"): the name, as a phrase if
 * it has several words, and its forms in the vocabulary. A feature belongs to one concept: the one whose name it is
 * closest to, then the one named first. Cost: one pass over the vocabulary per name.
 */
export function proposeAnchors(names: readonly string[], vocabulary: Vocabulary): ProposedAnchor[] {
  const drafts = checkNames(names).map(concept => draft(concept, vocabulary))
  return drafts.map(own => {
    const {concept, found, notes} = own
    const isOwn = ({feature}: ProposedMember) => ownerOf(feature, drafts) === own
    const lost = found.filter(member => !isOwn(member))
    return {
      concept,
      members: found.filter(member => member.isSound && isOwn(member)),
      doubtful: found.filter(member => !member.isSound && isOwn(member)),
      near: found.some(({isSound}) => isSound) ? [] : nearest(concept, vocabulary),
      notes: [
        ...notes,
        ...lost.map(({feature}) => ({kind: 'taken', name: feature, by: ownerOf(feature, drafts).concept}) as const)
      ]
    }
  })
}

interface Draft {
  readonly concept: string
  readonly found: readonly ProposedMember[]
  readonly notes: readonly ProposalNote[]
}

/** The concept that a feature is closest to; `reduce` keeps the first of equals. */
function ownerOf(feature: string, drafts: readonly Draft[]): Draft {
  const rank = ({found}: Draft) => {
    const member = found.find(other => other.feature === feature)
    if (member === undefined) return Number.POSITIVE_INFINITY
    return member.isSound ? KINDS.indexOf(member.kind) : KINDS.length
  }
  return drafts.reduce((best, next) => (rank(next) < rank(best) ? next : best))
}

function checkNames(names: readonly string[]): string[] {
  const concepts = names.map(name => name.trim().replace(/\s+/g, ' '))
  const fault = (rule: string) => new AdfaError('bad-option', `proposeAnchors: ${rule}`, {details: {option: 'names'}})
  if (concepts.some(concept => concept === '')) throw fault('a concept needs a name')
  const dollar = concepts.find(concept => concept.startsWith('$'))
  if (dollar !== undefined) throw fault(`the name "${dollar}" begins with "$", which anchors.json keeps for settings`)
  const twice = concepts.find((concept, at) => concepts.indexOf(concept) < at)
  if (twice !== undefined) throw fault(`the concept "${twice}" is named twice; name it once`)
  return concepts
}

function draft(concept: string, vocabulary: Vocabulary): Draft {
  const found = new Map<string, ProposedMember>()
  const notes: ProposalNote[] = []
  const {documents, documentCount, fields} = vocabulary
  for (const name of namesOf(concept)) {
    const words = nameWords(name, fields)
    if (words.every(isFunctionWord)) {
      notes.push({kind: 'function-word', name})
      continue
    }
    const own = [...documents.keys()].filter(feature => isSame(nameWords(feature, fields), words))
    for (const feature of own)
      add({
        feature,
        documents: documents.get(feature) ?? 0,
        kind: 'name',
        isSound: true,
        goesTogether: true,
        isSampled: vocabulary.isSampled ?? false
      })
    for (const form of wordForms(name.toLowerCase(), vocabulary)) if (!isEmptyName(form.feature, fields)) add(form)
    if (own.length === 0) notes.push(absent(name, words, vocabulary))
  }
  const sorted = [...found.values()].sort(
    (a, b) =>
      Number(a.kind !== 'name') - Number(b.kind !== 'name') ||
      b.documents - a.documents ||
      byCodeUnit(a.feature, b.feature)
  )
  return {concept, found: sorted, notes}

  function add(member: ProposedMember): void {
    const {feature, documents: count} = member
    if (count === 0 || found.has(feature)) return
    if (count > LARGEST_SHARE * documentCount) notes.push({kind: 'common', name: feature, share: count / documentCount})
    else found.set(feature, member)
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, at) => word === b[at])
}

function absent(name: string, words: readonly string[], {documents}: Vocabulary): ProposalNote {
  const isPhrase = words.length > 1
  const apart = words
    .map(word => ({word, documents: documents.get(word) ?? 0}))
    .filter(({word, documents: count}) => isPhrase && !isFunctionWord(word) && count > 0)
  return {kind: 'absent', name, isPhrase, apart}
}

/** Words with the nearest spelling, those in most documents first among equals. */
function nearest(concept: string, {documents, fields}: Vocabulary): string[] {
  const known = [...documents]
    .filter(([feature]) => !isEmptyName(feature, fields))
    .sort(([x, a], [y, b]) => b - a || byCodeUnit(x, y))
  const names = known.map(([feature]) => feature)
  return [...new Set(namesOf(concept).flatMap(name => nearestNames(name.toLowerCase(), names, NEAREST)))].slice(
    0,
    NEAREST
  )
}
