import type {ComponentChildren} from 'preact'
import {useState} from 'preact/hooks'
import {nameFault} from './concept-names.ts'
import {FitNow} from './fit-now.tsx'
import {focusSoon, useFirstFocus} from './focus.ts'
import {ManyConcepts} from './many-concepts.tsx'
import {Button, Field} from './parts.tsx'
import type {Studio} from './store.ts'

/** The head of the list with a field for one more concept, the list itself, and below it the ways to many concepts. */
export function AddConcepts({studio, children}: {studio: Studio; children: ComponentChildren}) {
  const [isNaming, setNaming] = useState(false)
  return (
    <>
      <div class="head">
        <h1>Anchors</h1>
        {isNaming ? null : (
          <Button isLittle also="name-concept" onClick={() => setNaming(true)}>
            Add concept
          </Button>
        )}
      </div>
      {isNaming ? (
        <NameConcept
          studio={studio}
          onDone={isAdded => {
            setNaming(false)
            if (!isAdded) focusSoon('.name-concept')
          }}
        />
      ) : null}
      <FitNow studio={studio} />
      {children}
      <div class="rowed more-concepts">
        <ManyConcepts studio={studio} isLittle />
      </div>
    </>
  )
}

/** What to do where there is no concept yet. */
export function FirstConcept({studio}: {studio: Studio}) {
  const [isNaming, setNaming] = useState(false)
  if (isNaming)
    return (
      <NameConcept
        studio={studio}
        onDone={isAdded => {
          setNaming(false)
          if (!isAdded) focusSoon('.name-concept')
        }}
      />
    )
  return (
    <div class="rowed">
      <Button look="primary" also="name-concept" onClick={() => setNaming(true)}>
        Name a concept
      </Button>
      <ManyConcepts studio={studio} />
    </div>
  )
}

function NameConcept({studio, onDone}: {studio: Studio; onDone: (isAdded: boolean) => void}) {
  const [name, setName] = useState('')
  const [isTried, setTried] = useState(false)
  const field = useFirstFocus<HTMLInputElement>()
  const fault = nameFault(name.trim(), studio.project.value.anchors)
  const add = (event: Event) => {
    event.preventDefault()
    if (fault !== undefined) return setTried(true)
    studio.edit({kind: 'addConcept', concept: name.trim()})
    onDone(true)
    focusSoon('.probe .field')
  }
  return (
    <form class="naming" onSubmit={add}>
      <Field
        label="Name of the concept"
        value={name}
        inputRef={field}
        fault={isTried || name.trim() !== '' ? fault : undefined}
        onInput={setName}
        onKeyDown={event => {
          if (event.key === 'Escape') onDone(false)
        }}
      />
      <div class="rowed">
        <Button type="submit" isLittle>
          Add <kbd>Enter</kbd>
        </Button>
        <Button look="quiet" isLittle onClick={() => onDone(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
