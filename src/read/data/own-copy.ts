/** V8 keeps a whole text alive for the sake of a slice of 13 characters or more; a vocabulary must not hold every document. */
export function ownCopy(token: string): string {
  return token.length < 13 ? token : token.split('').join('')
}
