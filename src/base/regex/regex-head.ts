import type {RegexNode} from './parse-regex.ts'

/** How an expression begins, and whether that is all of it. */
interface Head {
  readonly node: RegexNode
  readonly isWhole: boolean
}

/**
 * The beginning of an expression, up to its first part of unbounded length: `/heart.*size/` begins with `heart`, and
 * `/calc[a-z]+/` with `calc[a-z]`. Wherever the expression matches, its head does. Look-around is left out.
 */
export function regexHead(node: RegexNode): RegexNode {
  return headOf(node).node
}

const empty: RegexNode = {kind: 'sequence', parts: []}

function headOf(node: RegexNode): Head {
  switch (node.kind) {
    case 'character':
    case 'assertion':
      return {node, isWhole: true}
    case 'look':
      return {node: empty, isWhole: true}
    case 'choice': {
      const heads = node.parts.map(headOf)
      return {node: {kind: 'choice', parts: heads.map(head => head.node)}, isWhole: heads.every(head => head.isWhole)}
    }
    case 'sequence': {
      const parts: RegexNode[] = []
      for (const part of node.parts) {
        const head = headOf(part)
        parts.push(head.node)
        if (!head.isWhole) return {node: {kind: 'sequence', parts}, isWhole: false}
      }
      return {node: {kind: 'sequence', parts}, isWhole: true}
    }
    case 'repeat': {
      const {body, min, max} = node
      const head = headOf(body)
      if (min === 0 && (max === Infinity || !head.isWhole)) return {node: empty, isWhole: false}
      if (!head.isWhole) return head
      return max === Infinity
        ? {node: {...node, body: head.node, max: min}, isWhole: false}
        : {node: {...node, body: head.node}, isWhole: true}
    }
  }
}

/** The source of an expression without look-around, as `RegExp` reads it. */
export function regexSource(node: RegexNode): string {
  switch (node.kind) {
    case 'character':
      return `(?:${node.source})`
    case 'assertion':
      return /\w/.test(node.test) ? `\\${node.test}` : node.test
    case 'look':
      return ''
    case 'sequence':
      return node.parts.map(regexSource).join('')
    case 'choice':
      return `(?:${node.parts.map(regexSource).join('|')})`
    case 'repeat':
      return `(?:${regexSource(node.body)}){${node.min},${node.max}}`
  }
}
