import {edgeList} from '../../base/network/index.ts'
import {exp} from '../../base/numeric/index.ts'
import {factorText, percent} from '../../base/text/index.ts'
import {type Model, topWords} from '../../learn/model/index.ts'
import {measuredConcepts} from '../../use/prediction/index.ts'
import {textTable} from '../present/index.ts'

/** Edges named per concept. */
const EDGES_SHOWN = 2

/** The network as a table: one line per concept, the commonest first, with the edges of greatest mutual information. */
export function networkText({
  concepts,
  network,
  certificate
}: Pick<Model, 'concepts' | 'network' | 'certificate'>): string {
  const isMeasured = measuredConcepts({concepts, certificate})
  const names = concepts.map(({name}) => name)
  const edges = edgeList(network, names).sort((a, b) => b.mutualInformation - a.mutualInformation)
  const rows = [...concepts.entries()]
    .toSorted(([, a], [, b]) => b.prevalence - a.prevalence)
    .map(([i, {name, prevalence}]) => {
      const own = edges.filter(({parent, child}) => parent === name || child === name)
      const named = own
        .slice(0, EDGES_SHOWN)
        .map(({parent, child, strength}) => `${parent === name ? child : parent} x ${factorText(exp(strength))}`)
      const more = own.length > EDGES_SHOWN ? [`${own.length - EDGES_SHOWN} more`] : []
      return [name, isMeasured[i] ? percent(prevalence) : 'unknown', [...named, ...more].join(', ')]
    })
  return textTable([['concept', 'share', 'odds of other concepts where it is present'], ...rows])
}

/** The words of a concept without their field, which says little: a word that is in several fields comes once. */
export function typicalWords(model: Model, i: number, most: number): string[] {
  const {text: fields} = model.lexicon.reading
  const plain = (word: string) => {
    const field = fields.find(name => word.startsWith(`${name}:`))
    return field === undefined ? word : word.slice(field.length + 1)
  }
  return [...new Set(topWords(model, i, 2 * most).map(({word}) => plain(word)))].slice(0, most)
}
