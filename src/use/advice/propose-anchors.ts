import {AdfaError, nearestNames} from '../../base/checks/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import {byCodeUnit, isFunctionWord} from '../../read/data/index.ts'
import {isEmptyName, namesOf, nameWords} from './name-similarity.ts'
import {type FormKind, type Vocabulary, wordForms} from './word-forms.ts'

/** A feature proposed for the anchor of a concept. */
export interface ProposedMember {
  /** As anchors.json names it. */
  readonly feature: string
  readonly documents: number
  /** The name itself, or a form of it. */
  readonly kind: 'name' | FormKind
  readonly isSound: boolean
  readonly reason: string
}

/** The anchor proposed for a concept. */
export interface ProposedAnchor {
  readonly concept: string
  /** The name itself first, then its forms, the most frequent first; empty where nothing occurs. */
  readonly members: readonly ProposedMember[]
  /** Similar words that documents do not confirm: not part of the anchor unless a person adds them. */
  readonly doubtful: readonly ProposedMember[]
  /** Where nothing occurs: words with the nearest spelling. */
  readonly near: readonly string[]
  /** What was left out, and why. */
  readonly notes: readonly string[]
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
      notes: [...notes, ...lost.map(({feature}) => `'${feature}' belongs to "${ownerOf(feature, drafts).concept}"`)]
    }
  })
}

interface Draft {
  readonly concept: string
  readonly found: readonly ProposedMember[]
  readonly notes: readonly string[]
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
  const notes: string[] = []
  const {documents, documentCount, fields} = vocabulary
  for (const name of namesOf(concept)) {
    const words = nameWords(name, fields)
    if (words.every(isFunctionWord)) {
      notes.push(`'${name}' is a function word, which marks no concept`)
      continue
    }
    const own = [...documents.keys()].filter(feature => isSame(nameWords(feature, fields), words))
    for (const feature of own) add(feature, 'name', true, 'the name')
    for (const form of wordForms(name.toLowerCase(), vocabulary))
      if (!isEmptyName(form.feature, fields)) add(form.feature, form.kind, form.isSound, form.reason)
    if (own.length === 0) notes.push(...absent(name, words, vocabulary))
  }
  const sorted = [...found.values()].sort(
    (a, b) =>
      Number(a.kind !== 'name') - Number(b.kind !== 'name') ||
      b.documents - a.documents ||
      byCodeUnit(a.feature, b.feature)
  )
  return {concept, found: sorted, notes}

  function add(feature: string, kind: ProposedMember['kind'], isSound: boolean, reason: string): void {
    const count = documents.get(feature) ?? 0
    if (count === 0 || found.has(feature)) return
    if (count > LARGEST_SHARE * documentCount)
      notes.push(`'${feature}' is in ${percent(count / documentCount)} of the documents, too many for an anchor`)
    else found.set(feature, {feature, documents: count, kind, isSound, reason})
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, at) => word === b[at])
}

/** Why a name has no documents; the words of a phrase may occur apart. */
function absent(name: string, words: readonly string[], {documents}: Vocabulary): string[] {
  if (words.length < 2) return [`'${name}' never occurs`]
  const apart = words
    .filter(word => !isFunctionWord(word) && (documents.get(word) ?? 0) > 0)
    .map(word => `'${word}' in ${counted(documents.get(word) ?? 0, 'document')}`)
  return [`'${name}' never occurs as a phrase${apart.length > 0 ? `, but ${apart.join(' and ')}` : ''}`]
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
