import {useState} from 'preact/hooks'
import {counted} from '../../base/text/index.ts'
import type {Anchors} from '../../read/data/index.ts'
import {pastedNames, withNewConcepts} from './concept-names.ts'
import {useFirstFocus} from './focus.ts'
import {Button, Field, Window} from './parts.tsx'
import type {Studio} from './store.ts'

/** Two ways to many concepts: the tags of the documents, and a list of names. */
export function ManyConcepts({studio, isLittle = false}: {studio: Studio; isLittle?: boolean}) {
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
      {opened === 'tags' ? <TagsWindow studio={studio} onClose={close} /> : null}
      {opened === 'list' ? <ListWindow studio={studio} onClose={close} /> : null}
    </>
  )
}

/** Asks the desk for concepts, adds those that are new, and says so by the edit. */
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

function TagsWindow({studio, onClose}: {studio: Studio; onClose: () => void}) {
  const [typed, setTyped] = useState('20')
  const field = useFirstFocus<HTMLInputElement>()
  const {isBusy, fault, setFault, start} = useTaking(studio, onClose)
  const submit = (event: Event) => {
    event.preventDefault()
    const tags = /^\d+$/.test(typed.trim()) ? Number(typed) : 0
    if (tags < 1 || tags > 1000) return setFault('How many tags: a whole number from 1 to 1000.')
    start(() => studio.desk.propose({tags}), 'tags')
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

function ListWindow({studio, onClose}: {studio: Studio; onClose: () => void}) {
  const [text, setText] = useState('')
  const field = useFirstFocus<HTMLTextAreaElement>()
  const {isBusy, fault, start} = useTaking(studio, onClose)
  const names = pastedNames(text, studio.project.value.anchors)
  const hasDocuments = studio.state.value.documents > 0
  const submit = (event: Event) => {
    event.preventDefault()
    if (names.length === 0) return
    const bare = names.map(concept => ({concept, any: [], not: [], rates: undefined}))
    start(() => (hasDocuments ? studio.desk.propose({names}) : Promise.resolve(bare)), 'a list')
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
