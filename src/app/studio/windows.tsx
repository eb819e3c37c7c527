import {counted} from '../../base/text/index.ts'
import {type CommandFile, commandOf, type SameCommand} from '../desk/index.ts'
import type {Shell} from './create-studio.ts'
import {KEYS} from './key-help.ts'
import {Button, type KeyGroup, Keys, Window} from './parts.tsx'
import {saveFile} from './save-file.ts'
import {policyInForce, refusals, requests} from './seal.ts'

interface WindowProps {
  readonly shell: Shell
  readonly onClose: () => void
}

/** The files and the line that give the same model on the command line. */
export function CommandWindow({shell, onClose}: WindowProps) {
  const same = sameCommand(shell)
  if (same instanceof Error)
    return (
      <Window title="Same as a command" onClose={onClose}>
        <p>{same.message}</p>
      </Window>
    )
  const copy = () =>
    navigator.clipboard.writeText(same.line).then(
      () => shell.say('Copied the line'),
      () => shell.say('The browser refuses to copy here; select the line and copy it')
    )
  const save = ({name, text}: CommandFile) =>
    saveFile({name, type: 'application/json', parts: [new TextEncoder().encode(text)]})
  const buttons = (
    <>
      {same.files.map(file => (
        <Button key={file.name} onClick={() => save(file)}>
          Save {file.name}
        </Button>
      ))}
      <Button look="primary" onClick={copy}>
        Copy the fit line
      </Button>
    </>
  )
  return (
    <Window title="Same as a command" onClose={onClose} footer={buttons}>
      <p>These files and this line give the same model, byte for byte.</p>
      <p>
        <code>{same.line}</code>
      </p>
      <p>With the counts and the model that Export saves, this line gives the same report.</p>
      <p>
        <code>{same.report}</code>
      </p>
    </Window>
  )
}

/** The command, or why there is none yet. */
function sameCommand(shell: Shell): SameCommand | Error {
  const project = shell.project.value
  try {
    return commandOf(project, project.documents?.files ?? [], shell.state.value.judged)
  } catch (error) {
    return error as Error
  }
}

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
