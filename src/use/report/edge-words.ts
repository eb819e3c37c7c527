import type {NetworkEdge} from '../../base/network/index.ts'

/** How strongly two concepts hang together, in a word; bounds are odds ratios of about 1.5, 3, 10 and 50. */
export function strengthInWords(strength: number): string {
  const size = Math.abs(strength)
  if (size < 0.4) return 'barely'
  if (size < 1.1) return 'weakly'
  if (size < 2.3) return 'clearly'
  return size < 3.9 ? 'strongly' : 'very strongly'
}

/** Two digits or so: "12%", "3.4%", "0.05%", "less than 0.01%". */
export function shareInWords(share: number): string {
  const value = 100 * share
  if (value > 0 && value < 0.005) return 'less than 0.01%'
  return `${value.toFixed(value >= 9.95 || value === 0 ? 0 : value >= 0.95 ? 1 : 2)}%`
}

/** "flu and fever: strongly together; fever is in 60% of documents with flu, in 10% without". */
export function edgeInWords({parent, child, sign, strength, childWith, childWithout}: NetworkEdge): string {
  const how =
    sign === 'none'
      ? 'neither together nor apart'
      : `${strengthInWords(strength)} ${sign === 'positive' ? 'together' : 'apart'}`
  return `${parent} and ${child}: ${how}; ${child} is in ${shareInWords(childWith)} of documents with ${parent}, in ${shareInWords(childWithout)} without`
}
