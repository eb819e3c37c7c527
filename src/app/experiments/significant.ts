/** So many significant digits: what is kept of a number in results, so that files stay small. */
export function significant(value: number, digits = 7): number {
  return Number(value.toPrecision(digits))
}
