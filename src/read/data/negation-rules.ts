import {NEGATION_KINDS, NEGATION_WORDS, type NegationKind, type NegationLanguage} from './negation-words.ts'

/** The rules as a tree of words; walking along the text finds the longest rule. */
export interface RuleNode {
  readonly next: ReadonlyMap<string, RuleNode>
  /** The kind of the rule that ends with this word. */
  readonly kind: NegationKind | undefined
  /** Its kind at the end of a clause; takes precedence over `kind`. */
  readonly kindAtEnd: NegationKind | undefined
}

interface GrowingNode extends RuleNode {
  readonly next: Map<string, GrowingNode>
  kind: NegationKind | undefined
  kindAtEnd: NegationKind | undefined
}

/** Made on demand, once a language: it takes milliseconds, and each reader needs it. */
const made = new Map<NegationLanguage, RuleNode>()

export function negationTree(language: NegationLanguage): RuleNode {
  const tree = made.get(language) ?? growTree(language)
  made.set(language, tree)
  return tree
}

function growTree(language: NegationLanguage): RuleNode {
  const root = newNode()
  for (const kind of NEGATION_KINDS)
    for (const rule of rulesOf(language, kind)) {
      const isAtEnd = rule.endsWith('.')
      for (const words of spellOut(isAtEnd ? rule.slice(0, -1) : rule)) {
        const node = words.reduce(grow, root)
        if (isAtEnd) node.kindAtEnd = kind
        else node.kind = kind
      }
    }
  return root
}

/** The rules of one kind, as written. */
export function rulesOf(language: NegationLanguage, kind: NegationKind): string[] {
  return NEGATION_WORDS[language][kind].split(';').map(rule => rule.trim())
}

/** Every sequence of words that a rule covers: four for "(is|was) [now] gone". */
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
