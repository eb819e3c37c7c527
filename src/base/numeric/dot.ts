/** The sum of products, in the order of the entries. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let e = 0; e < a.length; e++) sum += a[e] * b[e]
  return sum
}
