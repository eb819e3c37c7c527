/** The part of trusted types that is used here; browsers without them need none. */
interface Rules {
  createScriptURL(address: string): string
  createHTML(markup: string): string
}

interface Policies {
  createPolicy(name: 'adfa', rules: Rules): Rules
}

const policies = (globalThis as {trustedTypes?: Policies}).trustedTypes
const policy = policies?.createPolicy('adfa', {createScriptURL: ownAddress, createHTML: harmless})

/** The address of a script that this program holds as a text. */
export function scriptAddress(text: string): string {
  return URL.createObjectURL(new Blob([text], {type: 'text/javascript'}))
}

/** Start a classic worker from a text that this program holds. */
export function startWorker(address: string, name: string): Worker {
  return new Worker(policy?.createScriptURL(address) ?? ownAddress(address), {name})
}

function ownAddress(address: string): string {
  if (!address.startsWith('blob:')) throw new Error(`internal error: ${address} is not a text of the studio`)
  return address
}

/** Put a picture or a card of the drawing thread in place of what an element holds. */
export function showMarkup(element: Element, markup: string): void {
  element.innerHTML = policy?.createHTML(markup) ?? harmless(markup)
}

const TAGS = /<\/?[a-z][^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*>/gi
const RUNS = /^<(?:script|iframe|object|embed|foreignObject)\b|\son\w+\s*=|\b(?:href|src)\s*=\s*["']?\s*javascript:/i

/** The drawing thread escapes all texts of documents; what could run is refused in case it does not. */
export function harmless(markup: string): string {
  const values = /=\s*(?:"[^"]*"|'[^']*')/g
  const isRun = (tag: string) => RUNS.test(tag.replace(values, value => (/javascript:/i.test(value) ? value : '=""')))
  if (markup.match(TAGS)?.some(isRun)) throw new Error('internal error: a picture holds a script')
  return markup
}
