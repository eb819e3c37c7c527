import {useState} from 'preact/hooks'
import {counted, nameList} from '../../../../base/text/index.ts'
import type {Anchors} from '../../../../read/data/index.ts'
import {type Studio, useStudio} from '../../store.ts'
import {Button, TextForm} from '../../ui/controls.tsx'
import {focusSoon} from '../../ui/keys.ts'
import {Window} from '../../ui/window.tsx'

/** A button, and once it is pressed, the form for a new concept. */
export function NameConcept({isFirst = false}: {isFirst?: boolean}) {
  const studio = useStudio()
  const [isOpen, setOpen] = useState(false)
  if (!isOpen)
    return (
      <Button
        look={isFirst ? 'primary' : undefined}
        isLittle={!isFirst}
        also="name-concept"
        onClick={() => setOpen(true)}
      >
        {isFirst ? 'Name a concept' : 'Add concept'}
      </Button>
    )
  const add = (concept: string) => {
    studio.edit({kind: 'addConcept', concept})
    setOpen(false)
    focusSoon('.probe .field')
  }
  const cancel = () => {
    setOpen(false)
    focusSoon('.name-concept')
  }
  return (
    <TextForm
      class="naming"
      label="Name of the concept"
      words="Add"
      isOpened
      faultOf={concept => studio.refusalOf({kind: 'addConcept', concept})?.message}
      onText={add}
      onCancel={cancel}
    />
  )
}

/** Two ways to many concepts: the tags of the documents, and a list of names. */
export function ManyConcepts() {
  const studio = useStudio()
  const [opened, setOpened] = useState<'tags' | 'list'>()
  const close = () => setOpened(undefined)
  const namesOf = (text: string) =>
    pastedNames(text).filter(concept => studio.refusalOf({kind: 'addConcept', concept}) === undefined)
  return (
    <>
      <Button look="quiet" isLittle onClick={() => setOpened('tags')}>
        Take from tags
      </Button>
      <Button look="quiet" isLittle onClick={() => setOpened('list')}>
        Paste a list
      </Button>
      {opened === 'tags' ? (
        <Window title="Take concepts from tags" onClose={close}>
          <p>
            Each of the most frequent tags of the documents becomes a concept, with words proposed from the documents.
            Concepts that are there already stay as they are.
          </p>
          <TextForm
            class="stack"
            label="How many tags"
            inputMode="numeric"
            value="20"
            words="Take them"
            look="primary"
            isOpened
            faultOf={text => (/^(1000|[1-9]\d{0,2})$/.test(text) ? undefined : 'A whole number from 1 to 1000.')}
            onText={async text => {
              take(studio, await studio.session.propose({tags: Number(text)}), 'tags')
              close()
            }}
          />
        </Window>
      ) : null}
      {opened === 'list' ? (
        <Window title="Paste a list of concepts" onClose={close}>
          <p>Words for each are proposed from the documents, if any are open.</p>
          <TextForm
            class="stack"
            label="One name per line, or separated by commas"
            isLong
            note={text => namesNote(namesOf(text))}
            words="Add them"
            look="primary"
            isOpened
            faultOf={text => (namesOf(text).length === 0 ? 'There is no new name here.' : undefined)}
            onText={async text => {
              const names = namesOf(text)
              const bare = names.map(concept => ({concept, any: [], not: [], rates: undefined}))
              const hasDocuments = studio.state.value.documents > 0
              take(studio, hasDocuments ? await studio.session.propose({names}) : bare, 'a list')
              close()
            }}
          />
        </Window>
      ) : null}
    </>
  )
}

function namesNote(names: readonly string[]): string {
  return names.length === 0 ? '' : `${counted(names.length, 'new concept')}: ${nameList(names, 5)}`
}

/** Adds the concepts that are new, and says so by the edit. */
function take(studio: Studio, proposed: Anchors, from: string): void {
  const {anchors} = studio.project.value
  const all = withNewConcepts(anchors, proposed)
  const added = all.length - anchors.length
  if (added === 0) {
    studio.say(`No new concepts from ${from}: all are there already.`)
    return
  }
  studio.edit({kind: 'setAnchors', anchors: all, words: `take ${counted(added, 'concept')} from ${from}`})
  studio.go({concept: all[anchors.length].concept})
}

/** The names of a pasted list, one a line or parted by commas or semicolons: each once. */
export function pastedNames(text: string): string[] {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const parts = lines.length > 1 ? lines : text.split(/[,;]/)
  return [...new Set(parts.map(part => part.trim().replace(/^[-*•]\s+/, '')))]
}

/** Returns the anchors with new concepts added. */
export function withNewConcepts(anchors: Anchors, more: Anchors): Anchors {
  const known = new Set(anchors.map(({concept}) => concept))
  return [...anchors, ...more.filter(({concept}) => !known.has(concept))]
}
