/** The part of trusted types that is used here; browsers without them need none. */
interface Policies {
  createPolicy(
    name: 'adfa',
    rules: {createScriptURL(address: string): string}
  ): {createScriptURL(address: string): string}
}

const policies = (globalThis as {trustedTypes?: Policies}).trustedTypes
const policy = policies?.createPolicy('adfa', {createScriptURL: ownAddress})

/** The address of a script that this program holds as a text. */
export function scriptAddress(text: string): string {
  return URL.createObjectURL(new Blob([text], {type: 'text/javascript'}))
}

/** Start a classic worker from a text that this program holds. */
export function startWorker(address: string, name: string): Worker {
  return new Worker(policy?.createScriptURL(address) ?? ownAddress(address), {name})
}

function ownAddress(address: string): string {
  if (!address.startsWith('blob:')) throw new Error(`internal error: ${address} is no text of the studio`)
  return address
}
