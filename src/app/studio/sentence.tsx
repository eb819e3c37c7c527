/** Messages of the library as sentences of a page: a capital letter, a full stop, and quoted features as code. */
export function Sentences({texts}: {texts: readonly string[]}) {
  return (
    <>
      {texts.map((text, at) => (
        <span key={text}>
          {at > 0 ? ' ' : ''}
          {pieces(sentence(text)).map((piece, place) =>
            piece.isCode ? <code key={place}>{piece.text}</code> : piece.text
          )}
        </span>
      ))}
    </>
  )
}

export function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!:]$/.test(start) ? start : `${start}.`
}

/** Features stand in single quotes; an apostrophe inside of a word is none. */
export function pieces(text: string): {readonly text: string; readonly isCode: boolean}[] {
  return text
    .split(/(?<=^|[\s(])'([^']+)'(?=[\s,;.:)?]|$)/)
    .map((piece, place) => ({text: piece, isCode: place % 2 === 1}))
    .filter(piece => piece.text !== '')
}
