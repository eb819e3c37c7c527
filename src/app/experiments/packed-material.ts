import type {CorpusDocument, Evidence} from '../../read/data/index.ts'
import type {Material} from './material.ts'

/** Material in memory shared by all workers: only names are copied. */
export interface PackedMaterial extends Omit<Material, 'documents'> {
  readonly keys: readonly string[]
  readonly lists: Readonly<Record<keyof Evidence, PackedLists>>
  /** Document by document, one value per concept. */
  readonly labels: Int8Array
}

/** List d is `items` from `starts[d]` up to `starts[d + 1]`. */
interface PackedLists {
  readonly starts: Uint32Array
  readonly items: Uint32Array
}

export function packMaterial({documents, ...rest}: Material): PackedMaterial {
  const m = rest.lexicon.anchors.length
  const labels = new Int8Array(new SharedArrayBuffer(documents.length * m))
  documents.forEach((document, d) => {
    if (document.labels === undefined) throw new Error('internal error: material without tags')
    labels.set(document.labels, d * m)
  })
  const pack = (name: keyof Evidence) => packLists(documents.map(document => document[name]))
  return {
    ...rest,
    keys: documents.map(({key}) => key),
    lists: {words: pack('words'), anchors: pack('anchors'), members: pack('members')},
    labels
  }
}

export function unpackMaterial({keys, lists, labels, ...rest}: PackedMaterial): Material {
  const m = rest.lexicon.anchors.length
  const list = ({starts, items}: PackedLists, d: number) => Array.from(items.subarray(starts[d], starts[d + 1]))
  const documents = keys.map((key, d): CorpusDocument => {
    const evidence = {words: list(lists.words, d), anchors: list(lists.anchors, d), members: list(lists.members, d)}
    return {key, ...evidence, labels: labels.slice(d * m, (d + 1) * m)}
  })
  return {...rest, documents}
}

/** The bytes of the packed lists and labels, in a fixed order: together with the names they identify the material. */
export function packedBytes({lists, labels}: PackedMaterial): readonly Uint8Array[] {
  const arrays = [...Object.values(lists).flatMap(({starts, items}) => [starts, items]), labels]
  return arrays.map(({buffer, byteOffset, byteLength}) => new Uint8Array(buffer, byteOffset, byteLength))
}

function packLists(lists: readonly (readonly number[])[]): PackedLists {
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (lists.length + 1)))
  lists.forEach(({length}, d) => {
    starts[d + 1] = starts[d] + length
  })
  const items = new Uint32Array(new SharedArrayBuffer(4 * starts[lists.length]))
  lists.forEach((list, d) => {
    items.set(list, starts[d])
  })
  return {starts, items}
}
