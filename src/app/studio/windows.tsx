import {counted} from '../../base/text/index.ts'
import {commandOf} from '../desk/index.ts'
import type {Shell} from './create-studio.ts'
import {Button, type KeyGroup, Keys, Window} from './parts.tsx'
import {saveFile} from './save-file.ts'
import {policyInForce, refusals, requests} from './seal.ts'

interface WindowProps {
  readonly shell: Shell
  readonly onClose: () => void
}

/** The files and the line that give the same model on the command line. */
export function CommandWindow({shell, onClose}: WindowProps) {
  const {line, files} = commandOf(shell.project.value)
  const copy = () =>
    navigator.clipboard.writeText(line).then(
      () => shell.say('Copied the line'),
      () => shell.say('The browser refuses to copy here; select the line and copy it')
    )
  const buttons = (
    <>
      {files.map(({name, text}) => (
        <Button
          key={name}
          onClick={() => saveFile({name, type: 'application/json', parts: [new TextEncoder().encode(text)]})}
        >
          Save {name}
        </Button>
      ))}
      <Button look="primary" onClick={copy}>
        Copy the line
      </Button>
    </>
  )
  return (
    <Window title="Same as a command" onClose={onClose} footer={buttons}>
      <p>These files and this line give the same model, byte for byte.</p>
      <p>
        <code>{line}</code>
      </p>
    </Window>
  )
}

const KEYS: readonly KeyGroup[] = [
  [
    'Everywhere',
    [
      ['?', 'this window'],
      ['Ctrl z', 'undo, 200 steps'],
      ['Ctrl Shift z', 'redo'],
      ['Ctrl s', 'save the project'],
      ['Esc', 'close a window'],
      ['↑ ↓', 'walk inside a list']
    ]
  ],
  [
    'Anchors',
    [
      ['/', 'type a word'],
      ['Enter', 'add it']
    ]
  ],
  [
    'Label',
    [
      ['1 ... 9', 'tick a concept'],
      ['Enter', 'done, next document'],
      ['s', 'skip'],
      ['u', 'undo']
    ]
  ],
  [
    'Documents',
    [
      ['j k', 'next, previous'],
      ['/', 'filter'],
      ['Enter', 'open']
    ]
  ]
]

export function KeysWindow({onClose}: {onClose: () => void}) {
  return (
    <Window title="Keys" onClose={onClose}>
      <p class="soft">Letters work while a list has the focus.</p>
      <Keys groups={KEYS} />
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
        {refusals.value === 0 ? 'The policy had nothing to refuse.' : `The policy refused ${counted(refusals.value, 'attempt')}.`}
      </p>
    </Window>
  )
}
