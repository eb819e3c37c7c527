/** Pairs (row, column), both from 1, collected in any order and then read row by row. */
export interface CoordinateList {
  add(row: number, column: number): void
  /** Sort by row, once and at the end; the result gives the columns of a row, in the order they were added. */
  sortByRow(rowCount: number): (row: number) => Uint32Array
}

const pageSize = 65_536

/**
 * Pages of typed arrays rather than one that grows: memory is 8 bytes a pair while collecting, 12 while sorting, and
 * never depends on how many pairs a file merely claims to have.
 *
 * Counting sort: after the first loop start[r] counts the pairs of row r, after the second it is where row r ends, and
 * placing backwards moves it down to where row r begins. Cost: pairs + rows.
 */
export function coordinateList(): CoordinateList {
  const pages: Uint32Array[] = []
  let count = 0
  return {
    add(row, column) {
      const at = count % pageSize
      if (at === 0) pages.push(new Uint32Array(2 * pageSize))
      const page = pages[pages.length - 1]
      page[2 * at] = row
      page[2 * at + 1] = column
      count++
    },
    sortByRow(rowCount) {
      const start = new Uint32Array(rowCount + 2)
      const columns = new Uint32Array(count)
      for (let at = 0; at < count; at++) start[pages[Math.floor(at / pageSize)][2 * (at % pageSize)]]++
      for (let row = 1; row < start.length; row++) start[row] += start[row - 1]
      for (let at = count - 1; at >= 0; at--) {
        const page = pages[Math.floor(at / pageSize)]
        const offset = 2 * (at % pageSize)
        columns[--start[page[offset]]] = page[offset + 1]
      }
      pages.length = 0
      return row => columns.subarray(start[row], start[row + 1])
    }
  }
}
