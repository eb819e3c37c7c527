/**
 * Cut text into words by one regular expression: a run of letters, digits, marks and underscores, joined by inner dots,
 * hyphens and apostrophes (`asp.net-mvc-3`, `i'm`), with the plus and sharp signs that end a name (`c++`, `c#`) and the
 * dot that begins one (`.net`). A pictograph is a word of its own.
 */
export function tokenize(text: string): string[] {
  return text.replaceAll('’', "'").match(TOKEN) ?? []
}

// Letters, digits and marks of plain ASCII come first in the class: most text never leaves them.
const TOKEN =
  /(?:(?<![\w.])\.(?=[a-z]))?[\w\p{L}\p{N}\p{M}]+(?:[+#]*[.'-][\w\p{L}\p{N}\p{M}]+)*(?:(?<=\p{L})[+#]+\d*(?![\w\p{L}+#]))?|\p{Extended_Pictographic}/giu

/** The words that a name of several words is made of: hyphens and underscores read as spaces. */
export function nameParts(name: string): string[] {
  return tokenize(name)
    .flatMap(token => token.split(/[-_]/))
    .filter(part => part !== '')
}
