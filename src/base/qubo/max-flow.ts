/**
 * Maximum flow in the network of a quadratic function of m binary variables, by highest-label push-relabel.
 *
 * Nodes: v = i stands for y_i, v = m + i for its complement, besides source and sink. Each node has one arc per other
 * variable k, to node `k` or, where `crosses` is 1, `m + k`: arcs form a 2m x m array, arc (v, k) at v m + k.
 * Only the first phase is needed: it gives the value of the maximum flow and the smallest sink side of a minimum cut.
 * Cost: O(m^3) in theory for dense networks, in practice a few passes over the arcs.
 */
export interface FlowNetwork {
  readonly size: number
  /** Residual capacity of arc (v, k); used up while solving. */
  readonly capacity: Float64Array
  /** 1 where arc (i, k) leads to the other half: from y_i to the complement of y_k and back; m x m, symmetric. */
  readonly crosses: Uint8Array
  /** Capacity from the source into each node, 2m. */
  readonly fromSource: Float64Array
  /** Capacity from each node to the sink, 2m; used up while solving. */
  readonly toSink: Float64Array
}

export interface MinimumCut {
  readonly flow: number
  /** 1 for each node from which the sink is still reachable. */
  readonly sinkSide: Uint8Array
}

/** Residual capacities up to `tolerance` count as 0 when the sides are separated. */
export function minimumCut(network: FlowNetwork, tolerance: number): MinimumCut {
  return new PushRelabel(network).run(tolerance)
}

class PushRelabel {
  readonly #network: FlowNetwork
  readonly #m: number
  readonly #height: Int32Array
  readonly #excess: Float64Array
  readonly #current: Int32Array
  readonly #queue: Int32Array
  /** Active nodes by height, as linked lists. */
  readonly #first: Int32Array
  readonly #next: Int32Array
  /** How many nodes have each height: a height without nodes cuts off all above. */
  readonly #population: Int32Array
  #highest = 0
  #relabels = 0

  constructor(network: FlowNetwork) {
    const nodes = 2 * network.size
    this.#network = network
    this.#m = network.size
    this.#height = new Int32Array(nodes)
    this.#excess = Float64Array.from(network.fromSource)
    this.#current = new Int32Array(nodes)
    this.#queue = new Int32Array(nodes)
    this.#first = new Int32Array(nodes + 2)
    this.#next = new Int32Array(nodes)
    this.#population = new Int32Array(nodes + 2)
  }

  run(tolerance: number): MinimumCut {
    const nodes = 2 * this.#m
    let flow = 0
    this.#relabelAll(0)
    for (;;) {
      while (this.#highest > 0 && this.#first[this.#highest] < 0) this.#highest--
      if (this.#highest === 0) break
      const v = this.#first[this.#highest]
      this.#first[this.#highest] = this.#next[v]
      flow += this.#discharge(v)
      if (this.#relabels >= nodes) this.#relabelAll(0)
    }
    this.#relabelAll(tolerance)
    const sinkSide = new Uint8Array(nodes)
    for (let v = 0; v < nodes; v++) sinkSide[v] = this.#height[v] < nodes ? 1 : 0
    return {flow, sinkSide}
  }

  /** Exact heights, the distances to the sink in the residual network (2m where it is unreachable), breadth first. */
  #relabelAll(tolerance: number): void {
    const m = this.#m
    const nodes = 2 * m
    const {capacity, crosses, toSink} = this.#network
    const height = this.#height
    const queue = this.#queue
    height.fill(nodes)
    this.#current.fill(0)
    let filled = 0
    for (let v = 0; v < nodes; v++) {
      if (toSink[v] > tolerance) {
        height[v] = 1
        queue[filled++] = v
      }
    }
    for (let read = 0; read < filled; read++) {
      const u = queue[read]
      const i = u < m ? u : u - m
      const half = u - i
      for (let k = 0; k < m; k++) {
        const v = k + (crosses[i * m + k] === 1 ? m - half : half)
        if (height[v] === nodes && capacity[v * m + i] > tolerance) {
          height[v] = height[u] + 1
          queue[filled++] = v
        }
      }
    }
    this.#relabels = 0
    this.#listActive()
  }

  #listActive(): void {
    const nodes = 2 * this.#m
    this.#first.fill(-1)
    this.#population.fill(0)
    this.#highest = 0
    for (let v = 0; v < nodes; v++) {
      this.#population[this.#height[v]]++
      if (this.#excess[v] > 0 && this.#height[v] < nodes) this.#activate(v)
    }
  }

  #activate(v: number): void {
    const h = this.#height[v]
    this.#next[v] = this.#first[h]
    this.#first[h] = v
    if (h > this.#highest) this.#highest = h
  }

  /** Push the excess of v down its arcs, lifting v as needed, until there is none or the sink is unreachable. */
  #discharge(v: number): number {
    const m = this.#m
    const {capacity, crosses, toSink} = this.#network
    const height = this.#height
    const excess = this.#excess
    const i = v < m ? v : v - m
    const half = v - i
    let arrived = 0
    for (;;) {
      if (height[v] === 1 && toSink[v] > 0) {
        arrived = Math.min(excess[v], toSink[v])
        toSink[v] -= arrived
        excess[v] -= arrived
      }
      let k = this.#current[v]
      for (; k < m && excess[v] > 0; k++) {
        const room = capacity[v * m + k]
        if (room === 0) continue
        const u = k + (crosses[i * m + k] === 1 ? m - half : half)
        if (height[u] !== height[v] - 1) continue
        const pushed = Math.min(room, excess[v])
        capacity[v * m + k] -= pushed
        capacity[u * m + i] += pushed
        if (excess[u] === 0) this.#activate(u)
        excess[u] += pushed
        excess[v] -= pushed
        if (excess[v] === 0) break
      }
      if (excess[v] === 0) {
        this.#current[v] = k
        return arrived
      }
      if (!this.#lift(v)) return arrived
    }
  }

  /** Lift v just above its lowest neighbour with residual capacity; false when the sink is unreachable. */
  #lift(v: number): boolean {
    const m = this.#m
    const nodes = 2 * m
    const {capacity, crosses, toSink} = this.#network
    const height = this.#height
    const i = v < m ? v : v - m
    const half = v - i
    let lowest = toSink[v] > 0 ? 0 : nodes
    for (let k = 0; k < m; k++) {
      if (capacity[v * m + k] === 0) continue
      const h = height[k + (crosses[i * m + k] === 1 ? m - half : half)]
      if (h < lowest) lowest = h
    }
    const old = height[v]
    this.#population[old]--
    height[v] = Math.min(nodes, lowest + 1)
    this.#population[height[v]]++
    this.#current[v] = 0
    this.#relabels++
    if (this.#population[old] === 0) this.#closeGap(old)
    return height[v] < nodes
  }

  #closeGap(level: number): void {
    const nodes = 2 * this.#m
    for (let v = 0; v < nodes; v++) {
      if (this.#height[v] > level && this.#height[v] < nodes) {
        this.#population[this.#height[v]]--
        this.#height[v] = nodes
        this.#population[nodes]++
      }
    }
  }
}
