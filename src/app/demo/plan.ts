import {existsSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import type {BayesNetwork} from '../../base/network/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {FitOptions} from '../../learn/options.ts'

/** How the written documents of a demo are read and learned from, as options of the command line. */
export interface DemoPlan {
  readonly title: string
  readonly reading: {
    readonly anchors?: string
    readonly anchorsFromTags?: readonly string[]
    readonly topTags?: number
    readonly labelShare?: number
    readonly skipBadAnchors?: true
  }
  readonly fitting: Partial<FitOptions>
  /** The model that generated the documents, if it is known: an upper bound to compare with. */
  readonly truth?: Model<BayesNetwork>
}

/** A file of the package's `corpora` folder, for source and built programs. */
export function corpusPath(name: string): string {
  for (const up of ['../corpora/', '../../../corpora/']) {
    const path = fileURLToPath(new URL(up + name, import.meta.url))
    if (existsSync(path)) return path
  }
  throw new Error(`internal error: the embedded corpus ${name} is missing`)
}
