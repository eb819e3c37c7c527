import type {BayesNetwork} from '../../src/base/network/index.ts'
import {readBif} from '../../src/base/network/test-bif.ts'

/** A network whose graph is known, to be recovered. */
export interface KnownNetwork {
  readonly name: string
  readonly network: BayesNetwork
  readonly maxParents: number
  /** The largest number of neighbours of a concept. */
  readonly maxDegree: number
}

/** The classic networks and parts of two larger ones: the named concepts with all their ancestors. */
const chosen: readonly {readonly name: string; readonly file: string; readonly of?: readonly string[]}[] = [
  {name: 'cancer', file: 'cancer'},
  {name: 'earthquake', file: 'earthquake'},
  {name: 'asia', file: 'asia'},
  {name: 'andes-8', file: 'andes', of: ['SNode_8', 'SNode_47']},
  {name: 'andes-13', file: 'andes', of: ['SNode_34', 'SNode_42']},
  {name: 'win95pts-9', file: 'win95pts', of: ['TTOK', 'CmpltPgPrntd', 'NnTTOK']},
  {name: 'win95pts-13', file: 'win95pts', of: ['TTOK', 'CmpltPgPrntd', 'NnTTOK', 'NnPSGrphc', 'PrtStatMem']}
]

/** Read from the folder of BIF files, gzipped. */
export function knownNetworks(folder: URL): KnownNetwork[] {
  return chosen.map(({name, file, of}) => {
    const {names, network} = readBif(new URL(`${file}.bif.gz`, folder))
    const part =
      of === undefined
        ? network
        : withAncestors(
            network,
            of.map(one => names.indexOf(one))
          )
    const {parents} = part
    const degrees = parents.map((list, i) => list.length + parents.filter(other => other.includes(i)).length)
    return {
      name,
      network: part,
      maxParents: Math.max(...parents.map(list => list.length)),
      maxDegree: Math.max(...degrees)
    }
  })
}

function withAncestors({parents, cpt}: BayesNetwork, concepts: readonly number[]): BayesNetwork {
  const needed = new Set(concepts)
  for (const i of needed) for (const parent of parents[i]) needed.add(parent)
  const kept = parents.flatMap((_, i) => (needed.has(i) ? [i] : []))
  return {parents: kept.map(i => parents[i].map(k => kept.indexOf(k))), cpt: kept.map(i => cpt[i])}
}
