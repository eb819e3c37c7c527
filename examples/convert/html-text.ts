/**
 * The text in a piece of HTML, as a reader sees it: entities are characters, inline tags leave nothing behind (`un<b>do</b>`
 * is one word), block tags and `<br>` end a line. Omitted: comments, `<script>`, `<style>` and everything inside `<pre>`,
 * which in posts is program text and its output; `<code>` within a sentence stays.
 *
 * Linear in the length, whatever the input. It is not a browser: a tag or comment that never ends is taken as text, an
 * entity needs its semicolon, and unknown entities stay as they are written.
 */
export function htmlText(html: string): string {
  if (!html.includes('<') && !html.includes('&')) return html
  const pieces: string[] = []
  let from = 0
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', from <= open ? open + 1 : from)) {
    const markup = markupAt(html, open)
    if (markup === undefined) continue
    if (markup.end < 0) break
    pushText(pieces, html.slice(from, open))
    if (markup.text !== '' && !(markup.text === '\n' && startsLine(pieces))) pieces.push(markup.text)
    from = markup.end
  }
  pushText(pieces, html.slice(from))
  return pieces.join('')
}

interface Markup {
  /** Where the text continues; -1 when the markup never ends. */
  readonly end: number
  /** What stands in its place. */
  readonly text: string
}

const blockTags: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote br center dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li ' +
    'main nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' ')
)
const silentTags: ReadonlySet<string> = new Set(['pre', 'script', 'style'])

/** Whether the text so far ends at the beginning of a line. */
function startsLine(pieces: readonly string[]): boolean {
  return pieces.length === 0 || pieces[pieces.length - 1].endsWith('\n')
}

/** The markup that begins with the `<` at `open`; undefined when that is an ordinary character. */
function markupAt(html: string, open: number): Markup | undefined {
  const code = html.charCodeAt(open + 1)
  if (isLetter(code)) return startTag(html, open + 1)
  if (code === slash && isLetter(html.charCodeAt(open + 2))) {
    const name = tagName(html, open + 2)
    return {end: tagEnd(html, open + 2 + name.length), text: blockTags.has(name) ? '\n' : ''}
  }
  if (html.startsWith('!--', open + 1)) return {end: after(html, '-->', open + 4), text: ''}
  if (html.startsWith('![CDATA[', open + 1)) {
    const end = after(html, ']]>', open + 9)
    return {end, text: end < 0 ? '' : html.slice(open + 9, end - 3)}
  }
  return code === exclamation || code === question ? {end: after(html, '>', open + 2), text: ''} : undefined
}

function startTag(html: string, at: number): Markup {
  const name = tagName(html, at)
  const end = tagEnd(html, at + name.length)
  const text = blockTags.has(name) ? '\n' : ''
  return end >= 0 && silentTags.has(name) ? {end: closingTag(html, name, end), text} : {end, text}
}

const slash = 0x2f
const exclamation = 0x21
const question = 0x3f
const greater = 0x3e
const doubleQuote = 0x22
const singleQuote = 0x27

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function tagName(html: string, at: number): string {
  let end = at
  while (isLetter(html.charCodeAt(end)) || isDigit(html.charCodeAt(end))) end++
  return html.slice(at, end).toLowerCase()
}

/** Just after the `>` of a tag whose name ends at `at`, skipping quoted values; -1 when there is none. */
function tagEnd(html: string, at: number): number {
  for (let i = at; i < html.length; i++) {
    const code = html.charCodeAt(i)
    if (code === greater) return i + 1
    if (code === doubleQuote || code === singleQuote) {
      i = html.indexOf(code === doubleQuote ? '"' : "'", i + 1)
      if (i < 0) return -1
    }
  }
  return -1
}

/** Just after `</name>`, or the end of the text, where HTML closes what is still open. */
function closingTag(html: string, name: string, at: number): number {
  for (let open = html.indexOf('</', at); open >= 0; open = html.indexOf('</', open + 2)) {
    const nameEnd = open + 2 + name.length
    if (html.slice(open + 2, nameEnd).toLowerCase() !== name || isLetter(html.charCodeAt(nameEnd))) continue
    const end = tagEnd(html, nameEnd)
    return end < 0 ? html.length : end
  }
  return html.length
}

function after(html: string, mark: string, at: number): number {
  const found = html.indexOf(mark, at)
  return found < 0 ? -1 : found + mark.length
}

/** The longest name has eight letters, `&#x10FFFF;` has eight characters inside; leading zeros may make it longer. */
const entityLimit = 16

/** Append `text`, which has no tags, with its entities decoded. */
function pushText(pieces: string[], text: string): void {
  let from = 0
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    const end = entityEnd(text, at + 1)
    const decoded = end < 0 ? undefined : decodeEntity(text.slice(at + 1, end))
    if (decoded === undefined) continue
    if (at > from) pieces.push(text.slice(from, at))
    pieces.push(decoded)
    from = end + 1
  }
  if (from < text.length) pieces.push(from === 0 ? text : text.slice(from))
}

/** The place of the semicolon of an entity, or -1. */
function entityEnd(text: string, at: number): number {
  for (let i = at; i < at + entityLimit; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x3b) return i
    if (!isLetter(code) && !isDigit(code) && !(code === 0x23 && i === at)) return -1
  }
  return -1
}

function decodeEntity(name: string): string | undefined {
  if (name.charCodeAt(0) !== 0x23) return htmlEntities.get(name)
  const isHex = /^#[xX][0-9a-fA-F]+$/.test(name)
  if (!isHex && !/^#[0-9]+$/.test(name)) return undefined
  const code = isHex ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  if (code >= 0x80 && code <= 0x9f) return windows1252[code - 0x80]
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd'
  return String.fromCodePoint(code)
}

/** The characters that HTML assigns to the codes 128 to 159, as old Windows programs wrote them. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** The named character references of HTML 4 (and `apos`), each with the text it stands for. */
const htmlEntities: ReadonlyMap<string, string> = new Map([
  ...listFrom(
    160,
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
      'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
      'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute ' +
      'Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave ' +
      'iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
  ),
  ...listFrom(0x391, 'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho'),
  ...listFrom(0x3a3, 'Sigma Tau Upsilon Phi Chi Psi Omega'),
  ...listFrom(0x3b1, 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho'),
  ...listFrom(0x3c2, 'sigmaf sigma tau upsilon phi chi psi omega'),
  ...pairs(
    'quot " amp & apos \' lt < gt > OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ thetasym ϑ upsih ϒ piv ϖ ' +
      'ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′ ' +
      'Prime ″ lsaquo ‹ rsaquo › oline ‾ frasl ⁄ euro € image ℑ weierp ℘ real ℜ trade ™ alefsym ℵ larr ← uarr ↑ rarr → ' +
      'darr ↓ harr ↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ' +
      'ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ ' +
      'asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ ' +
      'lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦'
  ),
  ['ensp', '\u2002'],
  ['emsp', '\u2003'],
  ['thinsp', '\u2009'],
  ['zwnj', '\u200c'],
  ['zwj', '\u200d'],
  ['lrm', '\u200e'],
  ['rlm', '\u200f']
])

function listFrom(code: number, names: string): [string, string][] {
  return names.split(' ').map((name, index) => [name, String.fromCharCode(code + index)])
}

function pairs(text: string): [string, string][] {
  const words = text.split(' ')
  return words.flatMap((name, index) => (index % 2 === 0 ? [[name, words[index + 1]]] : []))
}
