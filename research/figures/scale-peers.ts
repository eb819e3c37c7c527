import {type Results, table, thousands} from './scale-rows.ts'

/** How the time of `adfa count` grows, and what threads gain. */
export function exponents({rows, machine, date}: Results): string {
  const grown = rows.filter(({exponent}) => exponent !== '-')
  const lines = grown.map(({varied, from, to, exponent}) => [varied, thousands(from), thousands(to), exponent])
  const byThreads = rows
    .filter(({exponent}) => exponent === '-')
    .map(row => [
      `${row.from}${row.varied === 'threads' ? '' : ', computed'}`,
      row.s,
      row['serial s'],
      row['serial share'],
      row['times faster']
    ])
  return (
    `Processor time of \`adfa count\` on JSON Lines, without that of starting, grows as a power of each size (${machine}, ${date}):\n\n` +
    `${table(['size', 'from', 'to', 'exponent'], lines)}\n\n` +
    'On threads, the serial part is what they do not share: starting, waiting for the first block, adding up and writing. With ' +
    'more than two threads the time is computed from the run on two (serial + work / threads), and is the least that can be expected:\n\n' +
    table(['threads', 's', 'serial s', 'share of serial time', 'times faster than one'], byThreads)
  )
}

/** `adfa count` beside other programs. */
export function peers({rows, machine, date}: Results): string {
  const columns = [
    'program',
    'threads',
    'result',
    'processor s',
    's',
    'load',
    'peak MB',
    'processor time, adfa = 1',
    'memory, adfa = 1'
  ]
  const parts = ['features', 'text'].map(as => {
    const lines = rows.filter(row => row.as === as).map(row => columns.map(name => thousands(row[name])))
    const [{documents, MB}] = rows.filter(row => row.as === as)
    return `${thousands(documents)} documents as ${as}, ${MB} MB (${machine}, ${date}):\n\n${table(columns, lines)}`
  })
  return parts.join('\n\n')
}
