import {percent} from '../../base/text/index.ts'
import {exclusiveGroups, type Lexicon} from '../../read/data/index.ts'
import type {TagRule} from '../../use/prediction/index.ts'

/** Which concepts are tags, in words: "at a probability of 44% or more", or "where the anchor fires". */
export function ruleText({lexicon: {anchors}}: {lexicon: Pick<Lexicon, 'anchors'>}, {fired, silent}: TagRule): string {
  const groups = exclusiveGroups(anchors)
  const classes = new Set(groups.flatMap(({concepts}) => concepts))
  const others = anchors.map((_, i) => i).filter(i => !classes.has(i))
  const measured = others.filter(i => fired[i] === silent[i])
  const parts = [
    measured.length > 0 ? `at a probability of ${percent(silent[measured[0]])} or more` : '',
    measured.length < others.length
      ? `${measured.length > 0 ? 'for concepts without measured rates ' : ''}where the anchor fires or the score is ${Math.max(...silent)} or more`
      : '',
    classes.size > 0
      ? `${others.length > 0 ? 'of an exclusive group ' : ''}by the most probable class${others.length === 0 && groups.length > 1 ? ' of each group' : ''}`
      : ''
  ]
  return parts.filter(part => part !== '').join('; ')
}
