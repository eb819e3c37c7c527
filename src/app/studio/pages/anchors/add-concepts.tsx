import type {ComponentChildren} from 'preact'
import {useState} from 'preact/hooks'
import {counted, printableLine} from '../../../../base/text/index.ts'
import type {Anchors} from '../../../../read/data/index.ts'
import {FitNow} from '../../status-bar.tsx'
import {type Studio, useStudio} from '../../store.ts'
import {Button, Field} from '../../ui/controls.tsx'
import {focusSoon, useFirstFocus} from '../../ui/focus.ts'
import {Window} from '../../ui/window.tsx'

/** The head of the list with a field for one more concept, the list itself, and below it the ways to many concepts. */
export function AddConcepts({children}: {children: ComponentChildren}) {
  const {form, open} = useNaming()
  return (
    <>
      <div class="head">
        <h1>Anchors</h1>
        {form === null ? (
          <Button isLittle also="name-concept" onClick={open}>
            Add concept
          </Button>
        ) : null}
      </div>
      {form}
      <FitNow />
      {children}
      <div class="rowed more-concepts">
        <ManyConcepts isLittle />
      </div>
    </>
  )
}

/** What to do where there is no concept yet. */
export function FirstConcept() {
  const {form, open} = useNaming()
  return (
    form ?? (
      <div class="rowed">
        <Button look="primary" also="name-concept" onClick={open}>
          Name a concept
        </Button>
        <ManyConcepts />
      </div>
    )
  )
}

/** The form for a new concept, while it is open. */
function useNaming() {
  const [isNaming, setNaming] = useState(false)
  const done = (isAdded: boolean) => {
    setNaming(false)
    if (!isAdded) focusSoon('.name-concept')
  }
  return {form: isNaming ? <NameConcept onDone={done} /> : null, open: () => setNaming(true)}
}

function NameConcept({onDone}: {onDone: (isAdded: boolean) => void}) {
  const studio = useStudio()
  const add = (concept: string) => {
    studio.edit({kind: 'addConcept', concept})
    onDone(true)
    focusSoon('.probe .field')
  }
  return <NameForm look="naming" label="Name of the concept" words="Add" onName={add} onCancel={() => onDone(false)} />
}

interface NameFormProps {
  readonly look: string
  readonly label: string
  /** On the button. */
  readonly words: string
  /** The name that the concept has. */
  readonly before?: string
  readonly onName: (name: string) => void
  readonly onCancel: () => void
}

/** A field for the name of a concept; a name that cannot be is refused below it. */
export function NameForm({look, label, words, before = '', onName, onCancel}: NameFormProps) {
  const studio = useStudio()
  const [typed, setTyped] = useState(before)
  const [isTried, setTried] = useState(false)
  const field = useFirstFocus<HTMLInputElement>()
  const name = typed.trim()
  const fault = before !== '' && name === before ? undefined : nameFault(name, studio.project.value.anchors)
  const submit = (event: Event) => {
    event.preventDefault()
    if (fault === undefined) onName(name)
    else setTried(true)
  }
  return (
    <form class={look} onSubmit={submit}>
      <Field
        label={label}
        isBare={before !== ''}
        value={typed}
        inputRef={field}
        fault={isTried || name !== before ? fault : undefined}
        onInput={setTyped}
        onKeyDown={event => {
          if (event.key === 'Escape') onCancel()
        }}
      />
      <div class="rowed">
        <Button type="submit" isLittle>
          {words} <kbd>Enter</kbd>
        </Button>
        <Button look="quiet" isLittle onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** Two ways to many concepts: the tags of the documents, and a list of names. */
function ManyConcepts({isLittle = false}: {isLittle?: boolean}) {
  const [opened, setOpened] = useState<'tags' | 'list'>()
  const close = () => setOpened(undefined)
  return (
    <>
      <Button {...(isLittle ? {look: 'quiet'} : {})} isLittle={isLittle} onClick={() => setOpened('tags')}>
        Take from tags
      </Button>
      <Button look="quiet" isLittle={isLittle} onClick={() => setOpened('list')}>
        Paste a list
      </Button>
      {opened === 'tags' ? <TagsWindow onClose={close} /> : null}
      {opened === 'list' ? <ListWindow onClose={close} /> : null}
    </>
  )
}

/** Asks the session for concepts, adds those that are new, and says so by the edit. */
async function take(studio: Studio, proposed: Promise<Anchors>, from: string): Promise<void> {
  const {anchors} = studio.project.value
  const all = withNewConcepts(anchors, await proposed)
  const added = all.length - anchors.length
  if (added === 0) return studio.say(`No new concepts from ${from}: all are there already.`)
  studio.edit({kind: 'setAnchors', anchors: all, words: `take ${counted(added, 'concept')} from ${from}`})
  studio.go({concept: all[anchors.length].concept})
}

function useTaking(studio: Studio, onClose: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const start = (proposed: () => Promise<Anchors>, from: string) => {
    setBusy(true)
    take(studio, proposed(), from).then(onClose, (error: Error) => {
      setBusy(false)
      setFault(error.message)
    })
  }
  return {isBusy, fault, setFault, start}
}

function TagsWindow({onClose}: {onClose: () => void}) {
  const studio = useStudio()
  const [typed, setTyped] = useState('20')
  const field = useFirstFocus<HTMLInputElement>()
  const {isBusy, fault, setFault, start} = useTaking(studio, onClose)
  const submit = (event: Event) => {
    event.preventDefault()
    const tags = /^\d+$/.test(typed.trim()) ? Number(typed) : 0
    if (tags < 1 || tags > 1000) return setFault('How many tags: a whole number from 1 to 1000.')
    start(() => studio.session.propose({tags}), 'tags')
  }
  return (
    <Window title="Take concepts from tags" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          Each of the most frequent tags of the documents becomes a concept, with words proposed from the documents.
          Concepts that are there already stay as they are.
        </p>
        <Field
          label="How many tags"
          value={typed}
          inputMode="numeric"
          fault={fault}
          inputRef={field}
          onInput={value => {
            setTyped(value)
            setFault(undefined)
          }}
        />
        <Button type="submit" look="primary" disabled={isBusy}>
          {isBusy ? 'Looking …' : 'Take them'}
        </Button>
      </form>
    </Window>
  )
}

function ListWindow({onClose}: {onClose: () => void}) {
  const studio = useStudio()
  const [text, setText] = useState('')
  const field = useFirstFocus<HTMLTextAreaElement>()
  const {isBusy, fault, start} = useTaking(studio, onClose)
  const names = pastedNames(text, studio.project.value.anchors)
  const hasDocuments = studio.state.value.documents > 0
  const submit = (event: Event) => {
    event.preventDefault()
    if (names.length === 0) return
    const bare = names.map(concept => ({concept, any: [], not: [], rates: undefined}))
    start(() => (hasDocuments ? studio.session.propose({names}) : Promise.resolve(bare)), 'a list')
  }
  return (
    <Window title="Paste a list of concepts" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <div class="labelled">
          <label for="pasted">One name per line, or separated by commas</label>
          <textarea
            class="field"
            id="pasted"
            ref={field}
            rows={8}
            spellcheck={false}
            aria-describedby="pasted-found"
            onInput={event => setText(event.currentTarget.value)}
          />
        </div>
        <p id="pasted-found" class="soft">
          {names.length === 0
            ? 'Words for each are proposed from the documents, if any are open.'
            : `${counted(names.length, 'new concept')}: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`}
        </p>
        {fault === undefined ? null : <p class="say bad">{fault}</p>}
        <Button type="submit" look="primary" disabled={isBusy || names.length === 0}>
          {isBusy ? 'Looking …' : names.length === 0 ? 'Add them' : `Add ${counted(names.length, 'concept')}`}
        </Button>
      </form>
    </Window>
  )
}

/** Why a concept cannot have this name; undefined where it can. */
export function nameFault(name: string, anchors: Anchors): string | undefined {
  if (name === '') return 'A concept needs a name.'
  if (name.startsWith('$')) return 'Names that begin with "$" are reserved; choose another.'
  if (anchors.some(({concept}) => concept === name)) return `There is a concept "${printableLine(name)}" already.`
  return undefined
}

/** The names of a pasted list, one a line or parted by commas or semicolons: each once, without those there already. */
export function pastedNames(text: string, anchors: Anchors): string[] {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const parts = lines.length > 1 ? lines : text.split(/[,;]/)
  const names = parts.map(part => part.trim().replace(/^[-*•]\s+/, ''))
  return [...new Set(names)].filter(name => nameFault(name, anchors) === undefined)
}

/** Returns the anchors with new concepts added. */
export function withNewConcepts(anchors: Anchors, more: Anchors): Anchors {
  const known = new Set(anchors.map(({concept}) => concept))
  return [...anchors, ...more.filter(({concept}) => !known.has(concept))]
}
