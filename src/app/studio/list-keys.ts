/** Where a key leads in a list that is one tab stop, with so many rows on the screen; undefined for keys that are none of the list's. */
export function stepInList(key: string, at: number, length: number, screen = 11): number | undefined {
  const to = target(key, at, length, Math.max(1, screen - 1))
  return to === undefined || length === 0 ? undefined : Math.max(0, Math.min(to, length - 1))
}

function target(key: string, at: number, length: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'PageDown':
      return at + page
    case 'PageUp':
      return at - page
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return undefined
  }
}

/** What was typed within this many milliseconds belongs together. */
const PAUSE = 700

/**
 * Finds a name by its first letters as they are typed. One letter again and again walks through the names that begin with it.
 * Times come with the keys.
 */
export class TypeAhead {
  #typed = ''
  #last = Number.NEGATIVE_INFINITY

  /** The place of the name, looking onwards from the current one and round the end; undefined where none begins so. */
  find(key: string, time: number, at: number, names: readonly string[]): number | undefined {
    if ([...key].length !== 1 || (key === ' ' && this.#typed === '')) return undefined
    const before = time - this.#last > PAUSE ? '' : this.#typed
    this.#last = time
    this.#typed = before + key.toLowerCase()
    const isRepeated = [...this.#typed].every(letter => letter === key.toLowerCase())
    const wanted = isRepeated ? key.toLowerCase() : this.#typed
    // A longer beginning may still be that of the name at hand.
    const from = isRepeated ? at + 1 : at
    for (let step = 0; step < names.length; step++) {
      const place = (from + step) % names.length
      if (names[place].toLowerCase().startsWith(wanted)) return place
    }
    return undefined
  }
}
