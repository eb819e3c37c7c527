import {existsSync} from 'node:fs'

/** A corpus of tagged documents, and how its concepts get their anchors. */
export interface QualityCorpus {
  readonly name: string
  /** Constants were chosen on the development corpora; the others were kept aside. */
  readonly role: 'development' | 'kept aside'
  /** A tag's own name in one of these fields is its anchor; without any, `NAME.anchors.json` lists the anchors. */
  readonly anchorFields: readonly string[]
  /** Documents with fewer of the 200 commonest tags are left out; 0 keeps all. */
  readonly minTags: number
  /** Whether "no fever" is read as the absence of a fever. */
  readonly negation: boolean
}

/** Questions and packages: the name of a tag in the title. */
const tagged = {anchorFields: ['title'], minTags: 2, negation: false}
/** Medical reports: lists of words. */
const reports = {anchorFields: [], negation: true}

export const qualityCorpora: readonly QualityCorpus[] = [
  {name: 'stackoverflow-titles', role: 'development', ...tagged},
  {name: 'stackoverflow-bodies', role: 'development', ...tagged},
  {name: 'cooking', role: 'development', ...tagged},
  {name: 'debian-packages', role: 'development', ...tagged},
  {name: 'chest-xray', role: 'development', ...reports, minTags: 2},
  {name: 'robotics', role: 'kept aside', ...tagged},
  {name: 'npm-packages', role: 'kept aside', ...tagged, anchorFields: ['title', 'text']},
  {name: 'radiology-icd9', role: 'kept aside', ...reports, minTags: 0}
]

/** The folder next to the checkout, if there is one. */
export const dataFolder = new URL('../../../shared/data/', import.meta.url)
const embedded = new URL('../../corpora/', import.meta.url)

/** The corpora with these names, or all if none are given. */
export function chooseCorpora(names: readonly string[] | undefined): readonly QualityCorpus[] {
  for (const name of names ?? [])
    if (!qualityCorpora.some(corpus => corpus.name === name))
      throw new Error(`--corpora are some of ${qualityCorpora.map(corpus => corpus.name).join(',')}; got ${name}`)
  return qualityCorpora.filter(({name}) => names?.includes(name) ?? true)
}

/** The file of a corpus in `folder`, or the one embedded in the project. */
export function findCorpus(name: string, folder: URL): URL {
  const file = `${name}.jsonl.gz`
  const found = [folder, embedded].map(place => new URL(file, place)).find(url => existsSync(url))
  if (found === undefined)
    throw new Error(
      `no ${file} in ${folder.pathname}: of the corpora only npm-packages is part of the project (--corpora npm-packages); name the folder of the others with --data`
    )
  return found
}
