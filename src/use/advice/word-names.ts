import {fieldNames, type Lexicon} from '../../read/data/index.ts'
import {isMoreAlike, type Likeness, nameLikeness, nameWords} from './name-likeness.ts'

/** Of each concept: how like its names each word is, where it is at all. */
export type WordNames = readonly ReadonlyMap<number, Likeness>[]

/** The names of a concept are its own and those of its anchor's features. Cost: O(n) a name. */
export function wordNames({anchors, words, text}: Lexicon): WordNames {
  const fields = fieldNames(text)
  const spelled = words.map(word => nameWords(word, fields))
  return anchors.map(({concept, any}) => {
    // A name space in front of a concept (`works-with::text`) is not part of its name.
    const own = concept.split(/:+/).findLast(part => part !== '') ?? concept
    const names = [own, ...any].map(name => nameWords(name, fields))
    const alike = new Map<number, Likeness>()
    spelled.forEach((word, j) => {
      for (const name of names) {
        const likeness = nameLikeness(word, name)
        if (isMoreAlike(likeness, alike.get(j) ?? 'none')) alike.set(j, likeness)
      }
    })
    return alike
  })
}

/** The other concept whose names the word is most like, if it is at all. */
export function otherNamed(
  names: WordNames,
  i: number,
  word: number
): {concept: number; likeness: Likeness} | undefined {
  let closest: {concept: number; likeness: Likeness} | undefined
  names.forEach((other, concept) => {
    const likeness = other.get(word) ?? 'none'
    if (concept !== i && isMoreAlike(likeness, closest?.likeness ?? 'none')) closest = {concept, likeness}
  })
  return closest
}
