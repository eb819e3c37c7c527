import {type BifToken, BifTokens, shown} from './bif-tokens.ts'

/** One `variable` block. */
export interface BifVariable {
  readonly id: string
  /** The name in full, where the block has the property {@link nameProperty}; else the id. */
  readonly name: string
  readonly states: readonly string[]
  readonly line: number
}

/** One line of a `probability` block: a list of parent states, or the word `table` or `default`; and its numbers. */
export interface BifRow {
  readonly given: readonly string[] | 'table' | 'default'
  readonly values: readonly number[]
  readonly line: number
}

/** One `probability` block. */
export interface BifTable {
  readonly child: string
  readonly parents: readonly string[]
  readonly rows: readonly BifRow[]
  readonly line: number
}

/** The property in which names that are no BIF words are kept, percent-encoded. */
export const nameProperty = 'adfa-name'

/** The blocks of a BIF file as they are written; what they mean together is for networkFromBif to say. */
export function parseBif(text: string, where: string): {variables: BifVariable[]; tables: BifTable[]} {
  const tokens = new BifTokens(text, where)
  const variables: BifVariable[] = []
  const tables: BifTable[] = []
  while (tokens.peek() !== undefined) {
    if (tokens.take('network')) skipNetwork(tokens)
    else if (tokens.take('variable')) variables.push(parseVariable(tokens))
    else if (tokens.take('probability')) tables.push(parseTable(tokens))
    else {
      const token = tokens.next('the file')
      throw tokens.refuse(
        token.line,
        `${shown(token)} where a block of network, variable or probability begins`,
        'give a network in the BIF format'
      )
    }
  }
  return {variables, tables}
}

function skipNetwork(tokens: BifTokens): void {
  const inside = 'the network block'
  while (!tokens.take('{')) tokens.name(inside)
  while (!tokens.take('}')) {
    tokens.expect('property', inside)
    tokens.rest(inside)
  }
}

function parseVariable(tokens: BifTokens): BifVariable {
  const {text: id, line} = tokens.name('a variable block')
  const inside = `variable "${id}"`
  let name = id
  let states: string[] | undefined
  tokens.expect('{', inside)
  while (!tokens.take('}')) {
    if (tokens.take('property')) name = nameIn(tokens, tokens.rest(inside), line) ?? name
    else {
      tokens.expect('type', inside)
      if (states !== undefined) throw tokens.refuse(line, `${inside} has two types`, 'keep one')
      states = parseStates(tokens, inside)
    }
  }
  if (states === undefined) throw tokens.refuse(line, `${inside} has no type`, 'add "type discrete [ 2 ] { no, yes };"')
  return {id, name, states, line}
}

function parseStates(tokens: BifTokens, inside: string): string[] {
  const type = tokens.name(inside)
  if (type.text !== 'discrete')
    throw tokens.refuse(
      type.line,
      `${inside} is of type ${type.text}; only discrete variables are read`,
      'make it binary'
    )
  tokens.expect('[', inside)
  const count = tokens.name(inside)
  tokens.expect(']', inside)
  tokens.expect('{', inside)
  const states: string[] = []
  while (!tokens.take('}')) states.push(tokens.name(inside).text)
  tokens.expect(';', inside)
  if (String(states.length) !== count.text)
    throw tokens.refuse(
      count.line,
      `${inside} announces ${count.text} states and lists ${states.length}`,
      'make them agree'
    )
  return states
}

function parseTable(tokens: BifTokens): BifTable {
  tokens.expect('(', 'a probability block')
  const {text: child, line} = tokens.name('a probability block')
  const inside = `the probabilities of "${child}"`
  const parents: string[] = []
  while (!tokens.take(')')) parents.push(tokens.name(inside).text)
  tokens.expect('{', inside)
  const rows: BifRow[] = []
  while (!tokens.take('}')) {
    if (tokens.take('property')) tokens.rest(inside)
    else rows.push(parseRow(tokens, inside))
  }
  return {child, parents, rows, line}
}

function parseRow(tokens: BifTokens, inside: string): BifRow {
  const token = tokens.next(inside)
  const {text, quoted, line} = token
  let given: BifRow['given']
  if (!quoted && (text === 'table' || text === 'default')) given = text
  else if (!quoted && text === '(') {
    const states: string[] = []
    while (!tokens.take(')')) states.push(tokens.name(inside).text)
    given = states
  } else
    throw tokens.refuse(
      line,
      `${shown(token)} in ${inside} where a row begins`,
      'begin rows with "table", "default" or "("'
    )
  const values: number[] = []
  while (!tokens.take(';')) values.push(parseNumber(tokens, tokens.next(inside), inside))
  return {given, values, line}
}

function parseNumber(tokens: BifTokens, token: BifToken, inside: string): number {
  const {text, line} = token
  const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return value
  throw tokens.refuse(
    line,
    `${shown(token)} in ${inside} is no probability`,
    'write numbers from 0 to 1, and end rows with ";"'
  )
}

/** The name that a property holds, if it is {@link nameProperty}. */
function nameIn(tokens: BifTokens, property: string, line: number): string | undefined {
  const [, key, value] = /^(\S+)\s*=\s*(\S+)$/.exec(property) ?? []
  if (key !== nameProperty || value === undefined) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    throw tokens.refuse(line, `"${value}" in ${nameProperty} is not percent-encoded`, 'correct or remove the property')
  }
}
