/** One row of the table of rooms: a folder of `src/` or an entry file such as `fit.ts`. */
export interface Room {
  readonly name: string
  /** Rooms and entry files it may import. */
  readonly imports: ReadonlySet<string>
  /** Whether it may use Node, the clock, the console and chance. */
  readonly node: boolean
}

export type RoomTable = ReadonlyMap<string, Room>

/**
 * Read the table whose header begins `| room | may import |`. A cell of "may import" is a list of names from rows above,
 * "all above" or "nothing"; `Node` in it lets the room use Node, and words in parentheses are for people.
 * Since names must stand above, the table cannot hold a cycle.
 */
export function parseRoomTable(markdown: string): RoomTable {
  const lines = markdown.split('\n')
  const header = lines.findIndex(line => /^\|\s*room\s*\|\s*may import\s*\|/.test(line))
  if (header < 0) throw new Error('no table of rooms; expected a line that begins "| room | may import |"')
  const table = new Map<string, Room>()
  for (const line of lines.slice(header + 2)) {
    if (!line.startsWith('|')) break
    const [name, cell] = line.split('|').slice(1).map(plain)
    if (table.has(name)) throw new Error(`the table of rooms has two rows for "${name}"`)
    table.set(name, parseRoom(name, cell, table))
  }
  return table
}

function parseRoom(name: string, cell: string, above: RoomTable): Room {
  const words = cell === 'nothing' ? [] : cell.split(/\s*,\s*/)
  const names = words.flatMap(word => (word === 'all above' ? [...above.keys()] : word === 'Node' ? [] : [word]))
  for (const other of names)
    if (!above.has(other))
      throw new Error(`the table of rooms lets "${name}" import "${other}", which is not the name of a row above it`)
  return {name, imports: new Set(names), node: words.includes('Node')}
}

function plain(cell: string): string {
  return cell
    .replace(/`/g, '')
    .replace(/\s*\([^)]*\)/g, '')
    .trim()
}
