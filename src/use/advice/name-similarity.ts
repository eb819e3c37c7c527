import {fieldsOf, isFunctionWord, type Lexicon, NEGATED_PREFIX, tokenize} from '../../read/data/index.ts'

/** How similar two names are, in ascending order. */
export type Similarity = 'none' | 'stem' | 'inflected' | 'same'

const RANKS: readonly Similarity[] = ['none', 'stem', 'inflected', 'same']

/** English and Latin endings, so that calcif-ied goes with calcif-ication and kypho-sis with kypho-tic. */
const ENDINGS: ReadonlySet<string> = new Set(
  `a able ae al ally an ans ar ary ate ated ating ation ations ce cy d ded ding e ed en er ers es ese ful ia ial ian ians ic ical ication ications ics ied
  ies ing ings ion ions is ish ism ist ists ities ity ive less ly ment ments ness or ors oses osis otic ous r s ses sion sions sis sive t
  tic tion tions tive tous ture um us y`.split(/\s+/)
)
/** Fewer common letters mean nothing: "bread" and "break" share four. */
const SHORTEST_STEM = 4

/** The field in front of a feature name, if it has one. */
export function fieldOf(name: string, fields: readonly string[]): string | undefined {
  return fields.find(field => name.startsWith(`${field}:`))
}

export function withoutField(name: string, fields: readonly string[]): string {
  return name.slice((fieldOf(name, fields)?.length ?? -1) + 1)
}

/** The words that a feature name is made of, in lower case and without its field; none for a regular expression. */
export function nameWords(name: string, fields: readonly string[]): string[] {
  const rest = withoutField(name, fields)
  if (/^\/.+\/[a-z]*$/s.test(rest)) return []
  return tokenize(rest.toLowerCase()).flatMap(token => token.split(/(?<=[^-_])[-_]+(?=[^-_])/))
}

/** The names in a concept's name: without a name space (`works-with::text`), apart at slashes, brackets and "or". */
export function namesOf(concept: string): string[] {
  const own = concept.split(/:+/).findLast(part => part.trim() !== '') ?? concept
  const names = own.split(/[()[\]/|;,]|\s(?:or|and\/or)\s/i).map(name => name.trim())
  const some = names.filter(name => nameWords(name, []).length > 0)
  return [...new Set(some.length > 0 ? some : [own])]
}

/** Names of several words are as similar as their least similar words, in order; "air space" is a form of "airspace". */
export function nameSimilarity(a: readonly string[], b: readonly string[]): Similarity {
  if (a.length === 0 || b.length === 0) return 'none'
  if (a.length !== b.length) return a.join('') === b.join('') ? 'inflected' : 'none'
  return a
    .map((word, at) => wordSimilarity(word, b[at]))
    .reduce((least, next) => (isMoreAlike(least, next) ? next : least))
}

export function isMoreAlike(a: Similarity, b: Similarity): boolean {
  return RANKS.indexOf(a) > RANKS.indexOf(b)
}

function wordSimilarity(a: string, b: string): Similarity {
  if (a === b) return 'same'
  if (singular(a) === singular(b)) return 'inflected'
  return sharesStem(a, b) ? 'stem' : 'none'
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[su]s$/.test(word) ? word : word.slice(0, -1)
}

function sharesStem(a: string, b: string): boolean {
  return stemLengths(a, b, SHORTEST_STEM).some(end => isEnding(a, end) && isEnding(b, end))
}

/** Where a common stem may end: at the last common letter, or before it as in "aort-a" and "aort-ic". */
export function stemLengths(a: string, b: string, shortest: number): number[] {
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  return [shared, shared - 1].filter(end => end >= shortest)
}

/** Whether what follows the stem is nothing or an ending, before which its last letter may be doubled: scar-r-ing. */
function isEnding(word: string, stemLength: number): boolean {
  const rest = word.slice(stemLength)
  return rest === '' || ENDINGS.has(rest) || (rest[0] === word[stemLength - 1] && ENDINGS.has(rest.slice(1)))
}

/** Whether a feature can be no anchor by its name alone: a function word, a single letter, a negated mention. */
export function isEmptyName(feature: string, fields: readonly string[]): boolean {
  const rest = withoutField(feature, fields)
  return rest.startsWith(NEGATED_PREFIX) || /^\p{L}?$/u.test(rest) || isFunctionWord(rest)
}

/** By concept: the similarity of each word to its names, where there is any. */
export type WordNames = readonly ReadonlyMap<number, Similarity>[]

/** The names of a concept are its own and those of its anchor's members. Cost: O(n) per name. */
export function wordNames({anchors, words, reading}: Lexicon): WordNames {
  const fields = fieldsOf(reading).fieldNames
  const spelled = words.map(word => nameWords(word, fields))
  return anchors.map(({concept, any}) => {
    const names = [...namesOf(concept), ...any].map(name => nameWords(name, fields))
    const alike = new Map<number, Similarity>()
    spelled.forEach((word, j) => {
      for (const name of names) {
        const similarity = nameSimilarity(word, name)
        if (isMoreAlike(similarity, alike.get(j) ?? 'none')) alike.set(j, similarity)
      }
    })
    return alike
  })
}

/** The other concept whose names are most similar to the word, if any. */
export function otherNamed(
  names: WordNames,
  i: number,
  word: number
): {concept: number; similarity: Similarity} | undefined {
  let closest: {concept: number; similarity: Similarity} | undefined
  names.forEach((other, concept) => {
    const similarity = other.get(word) ?? 'none'
    if (concept !== i && isMoreAlike(similarity, closest?.similarity ?? 'none')) closest = {concept, similarity}
  })
  return closest
}
