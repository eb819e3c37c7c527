/** Open nodes of a search, the lowest bound first; among equals the newest, which searches in depth. */
export class NodeHeap<T extends {readonly bound: number}> {
  readonly #items: {readonly node: T; readonly serial: number}[] = []
  #serial = 0

  /** The lowest bound of all open nodes, infinite when there are none. */
  get lowest(): number {
    return this.#items.length === 0 ? Number.POSITIVE_INFINITY : this.#items[0].node.bound
  }

  push(node: T): void {
    const items = this.#items
    items.push({node, serial: this.#serial++})
    let at = items.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) break
      this.#swap(at, parent)
      at = parent
    }
  }

  pop(): T | undefined {
    const items = this.#items
    if (items.length === 0) return undefined
    this.#swap(0, items.length - 1)
    const first = items.pop()
    for (let at = 0; ; ) {
      let next = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < items.length && this.#isBefore(child, next)) next = child
      if (next === at) return first?.node
      this.#swap(at, next)
      at = next
    }
  }

  #isBefore(x: number, y: number): boolean {
    const a = this.#items[x]
    const b = this.#items[y]
    return a.node.bound < b.node.bound || (a.node.bound === b.node.bound && a.serial > b.serial)
  }

  #swap(x: number, y: number): void {
    const kept = this.#items[x]
    this.#items[x] = this.#items[y]
    this.#items[y] = kept
  }
}
