import {NEGATION_KINDS, NEGATION_RULES, type NegationKind} from './negation-rules.ts'

/** The rules of negation as a tree of words, in which the longest rule is found by walking along the text. */
export interface RuleNode {
  readonly next: ReadonlyMap<string, RuleNode>
  /** What the rule that ends with this word does. */
  readonly kind: NegationKind | undefined
  /** What it does where its clause ends too; goes before `kind`. */
  readonly kindAtEnd: NegationKind | undefined
}

interface GrowingNode extends RuleNode {
  readonly next: Map<string, GrowingNode>
  kind: NegationKind | undefined
  kindAtEnd: NegationKind | undefined
}

export function negationTree(): RuleNode {
  const root = newNode()
  for (const kind of NEGATION_KINDS)
    for (const rule of rulesOf(kind)) {
      const isAtEnd = rule.endsWith('.')
      for (const words of spellOut(isAtEnd ? rule.slice(0, -1) : rule)) {
        const node = words.reduce(grow, root)
        if (isAtEnd) node.kindAtEnd = kind
        else node.kind = kind
      }
    }
  return root
}

/** The rules of one kind, as they are written. */
export function rulesOf(kind: NegationKind): string[] {
  return NEGATION_RULES[kind].split(';').map(rule => rule.trim())
}

/** Every sequence of words that a rule stands for: "(is|was) [now] gone" is four. */
export function spellOut(rule: string): string[][] {
  let spelled: string[][] = [[]]
  for (const [part] of rule.matchAll(/\([^)]*\)|\[[^\]]*\]|[^\s()[\]]+/g)) {
    const isGroup = part.startsWith('(') || part.startsWith('[')
    const choices = isGroup ? part.slice(1, -1).split('|') : [part]
    if (part.startsWith('[')) choices.push('')
    spelled = spelled.flatMap(words =>
      choices.map(choice => [...words, ...choice.split(/\s+/).filter(word => word !== '')])
    )
  }
  return spelled
}

function newNode(): GrowingNode {
  return {next: new Map(), kind: undefined, kindAtEnd: undefined}
}

function grow(node: GrowingNode, word: string): GrowingNode {
  const known = node.next.get(word)
  if (known !== undefined) return known
  const fresh = newNode()
  node.next.set(word, fresh)
  return fresh
}
