/** One row of the table of rooms: a folder such as `learn/noise`, or a file such as `learn/fit.ts` or `index.ts`. */
export interface Room {
  readonly name: string
  /** The rooms of its own wing that it may import; wings to the left are always allowed. */
  readonly beside: ReadonlySet<string>
  /** Whether it may use Node, the clock, the console, unseeded randomness, and rooms that use them. */
  readonly node: boolean
  /** Whether it may use the page, the clock and the network of a browser. */
  readonly browser: boolean
}

export interface RoomTable {
  /** From left to right: a wing imports those before it. */
  readonly wings: readonly string[]
  readonly rooms: ReadonlyMap<string, Room>
}

/**
 * Read the table whose header begins `| room | imports beside it |`. The second cell lists rooms of the same wing from
 * rows above, or is "all above" or "nothing"; `Node` lets the room use Node, `Browser` the page and the clock; text in
 * parentheses is ignored.
 * Wings follow the order of their rows, and names must be in rows above, so the table cannot contain a cycle.
 */
export function parseRoomTable(markdown: string): RoomTable {
  const lines = markdown.split('\n')
  const header = lines.findIndex(line => /^\|\s*room\s*\|\s*imports beside it\s*\|/.test(line))
  if (header < 0) throw new Error('no table of rooms; expected a line that begins "| room | imports beside it |"')
  const rooms = new Map<string, Room>()
  const wings: string[] = []
  for (const line of lines.slice(header + 2)) {
    if (!line.startsWith('|')) break
    const [name, cell] = line.split('|').slice(1).map(plain)
    if (rooms.has(name)) throw new Error(`the table of rooms has two rows for "${name}"`)
    const wing = wingOf(name)
    if (wings.includes(wing) && wings.at(-1) !== wing)
      throw new Error(`the table of rooms has "${name}" apart from the other rows of its wing`)
    if (!wings.includes(wing)) wings.push(wing)
    rooms.set(name, parseRoom(name, cell, rooms))
  }
  return {wings, rooms}
}

/** `learn` of `learn/noise` and of `learn/fit.ts`; entry files of the package are in a last, unnamed wing. */
export function wingOf(room: string): string {
  return room.includes('/') ? room.slice(0, room.indexOf('/')) : ''
}

function parseRoom(name: string, cell: string, above: ReadonlyMap<string, Room>): Room {
  const wing = wingOf(name)
  const words = cell === 'nothing' ? [] : cell.split(/\s*,\s*/)
  const names = words.flatMap(word => {
    if (word === 'Node' || word === 'Browser') return []
    if (word === 'all above') return [...above.keys()].filter(other => wingOf(other) === wing)
    return [wing === '' ? word : `${wing}/${word}`]
  })
  for (const other of names)
    if (!above.has(other))
      throw new Error(`the table of rooms lets "${name}" import "${other}", which is not the name of a row above it`)
  return {name, beside: new Set(names), node: words.includes('Node'), browser: words.includes('Browser')}
}

function plain(cell: string): string {
  return cell
    .replace(/`/g, '')
    .replace(/\s*\([^)]*\)/g, '')
    .trim()
}
