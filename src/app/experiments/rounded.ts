/** Six decimals, beyond which is chance; null, as in JSON, for what is no number. */
export function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toFixed(6)) : null
}
