import {type Model, mutualInformation, networkTable} from '../index.ts'

/** The network as indented text, strongest branches first: sign, name, prevalence and what the parent changes. */
export function conceptTree(model: Model): string {
  const {latents, network} = model
  const children: number[][] = latents.map(() => [])
  network.parents.forEach((parents, i) => {
    for (const parent of parents) children[parent].push(i)
  })
  const strength = latents.map((_, i) => {
    const [parent] = network.parents[i]
    return parent === undefined ? 0 : mutualInformation(networkTable(network, [parent, i]))
  })
  const lines: string[] = []
  const visit = (i: number, depth: number) => {
    const [absent, present] = network.cpt[i]
    const link =
      network.parents[i].length === 0
        ? percent(latents[i].prevalence)
        : `${percent(latents[i].prevalence)}; ${percent(present)} with ${latents[network.parents[i][0]].name}, ${percent(absent)} without`
    const sign = network.parents[i].length === 0 ? '' : present >= absent ? '+ ' : '- '
    lines.push(`${'  '.repeat(depth)}${sign}${latents[i].name}  (${link})`)
    for (const child of children[i].toSorted((a, b) => strength[b] - strength[a])) visit(child, depth + 1)
  }
  latents.forEach((_, i) => {
    if (network.parents[i].length === 0) visit(i, 0)
  })
  return lines.join('\n')
}

/** Columns aligned: numbers to the right, everything else to the left; the last row tells which a column holds. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)))
  const isNumber = rows[rows.length - 1].map(cell => /^(-|-?[\d.]+%?)$/.test(cell))
  return rows
    .map(row =>
      row.map((cell, column) => (isNumber[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
    )
    .map(cells => cells.join('  ').trimEnd())
    .join('\n')
}

/** "1 document", "2,000 documents". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

export function percent(p: number): string {
  return `${(100 * p).toFixed(p < 0.0995 ? 1 : 0)}%`
}
