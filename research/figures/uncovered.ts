/**
 * Does the doctor point at documents that no anchor covers? The anchor of one concept at a time is hidden. A hit: in one of the
 * groups shown, at least half of the documents have its tag. A group is about one thing if at least half of its documents share
 * a tag that is three times as common there as in all documents. At most 8,000 documents of a corpus; their tags are for
 * judging alone. Prints a table.
 *
 * Command: npx tsx research/figures/uncovered.ts [--corpora cooking,robotics]
 */
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {hashShare} from '../../src/base/numeric/index.ts'
import {
  type AnchorRule,
  encodeCorpus,
  learnLexicon,
  parseAnchors,
  type Row,
  rowKey,
  vocabularyDefaults
} from '../../src/read/data/index.ts'
import {readTextFile} from '../../src/read/files/index.ts'
import {uncoveredGroups} from '../../src/use/advice/index.ts'
import {chooseCorpora, dataFolder, type QualityCorpus} from '../quality/corpora.ts'
import {readRows} from '../quality/problem.ts'

const MOST_DOCUMENTS = 8000
const CONCEPTS = 50
/** A concept is tried if this share of the documents has its tag, and called common at the second share. */
const TRIED = 0.01
const COMMON = 0.03
/** A concept is called uncovered if no other anchor fires in this share of the documents with its tag. */
const UNCOVERED = 0.7

const {values} = parseArgs({options: {corpora: {type: 'string'}}})
console.log('| corpus | found | common | common, uncovered | groups about one thing | nothing hidden |')
console.log('|---|--:|--:|--:|--:|---|')
const total = emptyTally()
for (const corpus of chooseCorpora(values.corpora?.split(','))) {
  const rows = (await readRows(corpus, dataFolder))
    .toSorted((a, b) => hashShare(rowKey(a), 0) - hashShare(rowKey(b), 0))
    .slice(0, MOST_DOCUMENTS)
  const options = {...vocabularyDefaults, text: ['title', 'text'], negation: corpus.negation, skipBadAnchors: true}
  const {anchors} = learnLexicon(rows, await anchorRule(corpus), options)
  const shareOf = (tag: string, some: readonly Row[]) =>
    some.filter(({tags}) => tags?.includes(tag)).length / Math.max(1, some.length)
  const examined = (hidden?: string) => {
    const rest = anchors.filter(({concept}) => concept !== hidden)
    const lexicon = learnLexicon(rows, {kind: 'given', anchors: rest}, options)
    const {documents} = encodeCorpus(rows, lexicon)
    const silent = rows.filter((_, at) => documents[at].anchors.length === 0)
    const groups = uncoveredGroups(lexicon, documents).map(group => {
      const seed = lexicon.words.indexOf(group.words[0])
      const own = rows.filter((_, at) => documents[at].anchors.length === 0 && documents[at].words.includes(seed))
      const isTelling = [...new Set(own.flatMap(({tags}) => tags ?? []))].some(tag => {
        const share = shareOf(tag, own)
        return share >= 0.5 && share >= 3 * shareOf(tag, rows)
      })
      return {...group, rows: own, isTelling}
    })
    return {groups, silent}
  }
  const tally = emptyTally()
  for (const {concept} of anchors) {
    const share = shareOf(concept, rows)
    if (share < TRIED) continue
    const {groups, silent} = examined(concept)
    const isUncovered = shareOf(concept, silent) * silent.length >= UNCOVERED * share * rows.length
    const isFound = groups.some(group => shareOf(concept, group.rows) >= 0.5)
    add(tally.found, isFound)
    if (share >= COMMON) add(tally.common, isFound)
    if (share >= COMMON && isUncovered) add(tally.uncovered, isFound)
    for (const {isTelling} of groups) add(tally.groups, isTelling)
  }
  const {groups} = examined()
  const nothing = groups.map(
    ({words, documents, ofDocuments, isTelling}) =>
      `${words.slice(0, 3).join(' ')} (${documents} of ${ofDocuments}, ${isTelling ? 'yes' : 'no'})`
  )
  printRow(corpus.name, tally, nothing.join('; ') || 'none')
  for (const key of Object.keys(total) as (keyof Tally)[]) for (const at of [0, 1]) total[key][at] += tally[key][at]
}
printRow('all', total, '')

/** Hits and trials of each kind. */
type Tally = Record<'found' | 'common' | 'uncovered' | 'groups', [hits: number, trials: number]>

function emptyTally(): Tally {
  return {found: [0, 0], common: [0, 0], uncovered: [0, 0], groups: [0, 0]}
}

function add(counts: [number, number], isHit: boolean): void {
  if (isHit) counts[0]++
  counts[1]++
}

function printRow(name: string, {found, common, uncovered, groups}: Tally, nothing: string): void {
  const cells = [found, common, uncovered, groups].map(([hits, trials]) => `${hits} of ${trials}`)
  console.log(`| ${[name, ...cells, nothing].join(' | ')} |`)
}

async function anchorRule({name, anchorFields}: QualityCorpus): Promise<AnchorRule> {
  if (anchorFields.length > 0) return {kind: 'tags', fields: anchorFields, topTags: CONCEPTS}
  const path = fileURLToPath(new URL(`${name}.anchors.json`, dataFolder))
  return {kind: 'given', anchors: parseAnchors(await readTextFile(path), path)}
}
