import {pieces, sentence} from './sentence.ts'

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
