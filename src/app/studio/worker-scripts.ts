import {scriptAddress} from './start-worker.ts'

/** Scripts of workers that the desk starts. */
export type ScriptName = 'desk' | 'draw'

/** What the page hands to the desk: the text, or why there is none. */
export type ScriptText =
  | {readonly name: ScriptName; readonly text: string}
  | {readonly name: ScriptName; readonly fault: string}

const addresses = new Map<ScriptName, string>()
const waiting = new Map<ScriptName, {resolve(address: string): void; reject(error: Error): void}[]>()

self.addEventListener('message', ({data}: MessageEvent<{readonly kind: string} & ScriptText>) => {
  if (data.kind !== 'script') return
  const {name} = data
  const asked = waiting.get(name) ?? []
  waiting.delete(name)
  if ('fault' in data) for (const {reject} of asked) reject(new Error(data.fault))
  else {
    const address = scriptAddress(data.text)
    addresses.set(name, address)
    for (const {resolve} of asked) resolve(address)
  }
})

/** The address of the script that solvers run: the page sends it before any call. */
export function ownAddress(): string {
  return addresses.get('desk') ?? ''
}

/** The address of a script, which the page is asked for once. */
export function scriptOf(name: ScriptName): Promise<string> {
  const known = addresses.get(name)
  if (known !== undefined) return Promise.resolve(known)
  return new Promise((resolve, reject) => {
    const asked = waiting.get(name)
    if (asked !== undefined) asked.push({resolve, reject})
    else {
      waiting.set(name, [{resolve, reject}])
      self.postMessage({kind: 'wanted', name})
    }
  })
}
