import {signal} from '@preact/signals'
import {counted} from '../../base/text/index.ts'
import {type PageName, useStudio} from './store.ts'
import {Window} from './ui/window.tsx'

/** Keys as the help shows them, by a blank between, and what they do. */
type KeyHelp = readonly [keys: string, does: string]

/** All keys, by where they work. */
export const KEYS: Readonly<Record<'everywhere' | PageName, readonly KeyHelp[]>> = {
  everywhere: [
    ['?', 'show this window'],
    ['Ctrl z', 'undo, 200 steps'],
    ['Ctrl Shift z', 'redo'],
    ['Ctrl s', 'save the project'],
    ['Enter', 'accept what is typed in a field'],
    ['Esc', 'close a window, leave a field as it was'],
    ['↑ ↓', 'move in a list'],
    ['PgUp PgDn', 'move in a list by a screen'],
    ['Home End', 'go to the first or last row of a list']
  ],
  start: [['Ctrl v', 'paste files or text as documents']],
  anchors: [
    ['Enter', 'add the word that is typed'],
    ['Esc', 'clear the word that is typed']
  ],
  label: [
    ['1–9 a–z', 'tick a concept'],
    ['y n', 'answer a short question'],
    ['Enter', 'done, next document'],
    ['s', 'skip'],
    ['u', 'undo the last answer']
  ],
  documents: [
    ['j k', 'next, previous document'],
    ['/', 'filter'],
    ['Enter', 'open the document']
  ],
  graph: [
    ['← ↑ → ↓', 'go to the neighbour on that side, or to the next link'],
    ['Home End', 'go to the first or last link of a row'],
    ['Enter Space', 'open the card of the concept'],
    ['Esc', 'go from the card back to the picture'],
    ['+ − 0', 'zoom in, zoom out, whole picture'],
    ['/', 'find a concept']
  ],
  evaluate: [
    ['j k', 'next, previous mistake'],
    ['Enter', 'go to its text']
  ],
  compare: [['Enter', 'take the snapshot that is named']]
}

/** The window that is open. */
export function Windows() {
  const {opened} = useStudio()
  const close = () => {
    opened.value = undefined
  }
  if (opened.value === undefined) return null
  return opened.value === 'keys' ? (
    <Window title="Keys" onClose={close}>
      <Keys />
    </Window>
  ) : (
    <Window title="Nothing leaves this computer" onClose={close}>
      <Privacy />
    </Window>
  )
}

function Keys() {
  return (
    <>
      <p class="soft">Letters and digits are keys only while you are not typing in a field.</p>
      {Object.entries(KEYS).map(([name, keys]) => (
        <section key={name}>
          <h3>{name[0].toUpperCase() + name.slice(1)}</h3>
          <dl class="keys">
            {keys.map(([names, does]) => [
              <dt key={names}>
                {names.split(' ').map(key => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>,
              <dd key={does}>{does}</dd>
            ])}
          </dl>
        </section>
      ))}
    </>
  )
}

/** What makes sure that nothing leaves, and what was seen of it. */
function Privacy() {
  const {own, others} = requests.value
  return (
    <>
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
    </>
  )
}

/** What the browser has asked for on behalf of this page, and what the policy of the page refused. */
const requests = signal<{readonly own: number; readonly others: readonly string[]}>({own: 0, others: []})
const refusals = signal(0)

/** The policy of the page, as its file gives it. */
function policyInForce(): string {
  return document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')?.content ?? ''
}

/** Watches the requests of the page; what was loaded before is counted too. */
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
