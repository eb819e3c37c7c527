import type {WeightsChart} from '../../../use/report/index.ts'
import type {Figure, Pictures} from '../experiment.ts'
import type {Material} from '../material.ts'
import {wordNames} from './factors-names.ts'
import type {FactorsSummary, WordList} from './factors-summary.ts'
import {listName} from './factors-words.ts'

/** Concepts that are drawn, the commonest by their tags. */
const DRAWN_CONCEPTS = 12

/** A list of words as bars. */
interface DrawnList {
  readonly name: string
  readonly list: WordList
  readonly x: WeightsChart['x']
  /** How long a bar is, by the value that words are ranked by. */
  readonly length: (value: number) => number
}

const DRAWN_LISTS: readonly DrawnList[] = [
  {
    name: 'words-paper',
    list: {method: 'paper', ranking: 'failure'},
    x: {label: 'chance that the concept alone switches the word on', percent: true},
    length: failure => 1 - failure
  },
  {
    name: 'words-robust',
    list: {method: 'robust', ranking: 'weights'},
    x: {label: 'what the word adds to the log-odds of the concept'},
    length: weight => weight
  }
]

export function drawWords(summary: FactorsSummary, material: Material, pictures: Pictures): Figure[] {
  const {anchors, words} = material.lexicon
  const names = wordNames(material.lexicon)
  const drawn = commonestConcepts(material)
  const which = drawn.length < anchors.length ? `the ${drawn.length} commonest concepts` : 'all concepts'
  return DRAWN_LISTS.map(({name, list, x, length}) => {
    const title = `Words of ${which}. ${listName(list)}`
    const rows = drawn.map(i => ({
      name: anchors[i].concept,
      items: summary.words(list)[i].map(([word, value]) => ({label: names.text(words[word]), value: length(value)}))
    }))
    const description = `For each concept its words, those that weigh most first. Bars: ${x.label}.`
    return {name, caption: `${title}.`, svg: pictures.chart({kind: 'weights', title, description, x, rows})}
  })
}

function commonestConcepts({lexicon, documents}: Material): number[] {
  const tagged = lexicon.anchors.map((_, i) => documents.filter(({truth}) => truth?.[i] === 1).length)
  return [...tagged.keys()].sort((a, b) => tagged[b] - tagged[a] || a - b).slice(0, DRAWN_CONCEPTS)
}
