import type {BayesNetwork} from './bayes-network.ts'

/**
 * The network in the UAI format, as a BAYES problem; the format has no names, variables are numbered as in the network.
 * One function a variable: its parents, then itself; the last varies fastest, so each row reads P(Y_i = 0), P(Y_i = 1).
 * Numbers read back the same.
 */
export function networkToUai({parents, cpt}: BayesNetwork): string {
  const m = parents.length
  const scopes = parents.map((list, i) => [list.length + 1, ...list, i].join(' '))
  const tables = cpt.map(table => `\n${2 * table.length}\n${Array.from(table, p => ` ${1 - p} ${p}\n`).join('')}`)
  return `BAYES\n${m}\n${parents.map(() => 2).join(' ')}\n${m}\n${scopes.join('\n')}\n${tables.join('')}`
}
