import {signal} from '@preact/signals'
import {counted} from '../../base/text/index.ts'
import {KEYS} from './key-help.ts'
import {type KeyGroup, Keys, Window} from './ui/window.tsx'

/** Pages have their names as titles. */
const GROUPS = Object.entries(KEYS).map(([name, keys]): KeyGroup => [name[0].toUpperCase() + name.slice(1), keys])

export function KeysWindow({onClose}: {onClose: () => void}) {
  return (
    <Window title="Keys" onClose={onClose}>
      <p class="soft">Letters and digits are keys only while you are not typing in a field.</p>
      <Keys groups={GROUPS} />
    </Window>
  )
}

/** What makes sure that nothing leaves, and what was seen of it. */
export function SealWindow({onClose}: {onClose: () => void}) {
  const {own, others} = requests.value
  return (
    <Window title="Nothing leaves this computer" onClose={onClose}>
      <p>
        The page holds the documents in its own memory. It stores nothing in the browser: closing the tab ends it. Two
        tabs share nothing.
      </p>
      <p>
        The browser enforces this policy on the page and on its workers; a request to any other address is refused
        before it is made:
      </p>
      <p>
        <code>{policyInForce() || 'none: this page was not built for use'}</code>
      </p>
      <p>
        {others.length === 0
          ? `Seen since the page opened: ${counted(own, 'request')} for its own files, none to another address.`
          : `Seen since the page opened: ${counted(others.length, 'request')} to another address: ${others.join(', ')}`}{' '}
        {refusals.value === 0
          ? 'The policy had nothing to refuse.'
          : `The policy refused ${counted(refusals.value, 'attempt')}.`}
      </p>
    </Window>
  )
}

/** What the browser has asked for on behalf of this page, and what the policy of the page refused. */
export const requests = signal<{readonly own: number; readonly others: readonly string[]}>({own: 0, others: []})
export const refusals = signal(0)

/** The policy of the page, as its file gives it. */
export function policyInForce(): string {
  return document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')?.content ?? ''
}

/** Watch from now on; what was loaded before is counted too. */
export function watchRequests(): void {
  document.addEventListener('securitypolicyviolation', () => {
    refusals.value++
  })
  const observer = new PerformanceObserver(list => {
    const names = list.getEntries().map(({name}) => name)
    const isOwn = (name: string) => /^(blob|data):/.test(name) || name.startsWith(`${location.origin}/`)
    requests.value = {
      own: requests.value.own + names.filter(isOwn).length,
      others: [...requests.value.others, ...names.filter(name => !isOwn(name))]
    }
  })
  observer.observe({type: 'resource', buffered: true})
}
