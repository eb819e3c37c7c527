import type {ComponentChildren, ComponentProps, Ref} from 'preact'
import {useEffect, useId, useRef} from 'preact/hooks'

type ButtonProps = Omit<ComponentProps<'button'>, 'class'> & {
  /** One filled button a page: the next step of the work. */
  readonly look?: 'primary' | 'quiet'
  /** In tables. */
  readonly isLittle?: boolean
  /** Further classes of the frame. */
  readonly also?: string
}

export function Button({look, isLittle, also, ...rest}: ButtonProps) {
  const classes = ['button', look, isLittle && 'little', also].filter(Boolean).join(' ')
  return <button type="button" class={classes} {...rest} />
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  /** When the value is final: Enter, or the focus leaves. */
  readonly onChange?: (value: string) => void
  readonly placeholder?: string
  readonly inputMode?: 'text' | 'numeric' | 'decimal'
  readonly isDisabled?: boolean
  /** The name is for screen readers only. */
  readonly isBare?: boolean
  /** What is wrong with the value. */
  readonly fault?: string | undefined
  readonly inputRef?: Ref<HTMLInputElement>
}

/** An input with its name above, and what is wrong with it below. */
export function Field(props: FieldProps) {
  const {label, value, onInput, onChange, onKeyDown, placeholder, inputMode = 'text', isBare = false, fault} = props
  const id = useId()
  return (
    <Labelled id={id} label={label} isBare={isBare}>
      <input
        class="field"
        id={id}
        ref={props.inputRef ?? null}
        value={value}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        inputMode={inputMode}
        disabled={props.isDisabled}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onInput={event => onInput(event.currentTarget.value)}
        onChange={event => onChange?.(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {fault ? (
        <p class="say bad" id={`${id}-fault`}>
          {fault}
        </p>
      ) : null}
    </Labelled>
  )
}

function Labelled(props: {id: string; label: string; isBare: boolean; children: ComponentChildren}) {
  return (
    <div class="labelled">
      <label class={props.isBare ? 'unseen' : undefined} for={props.id}>
        {props.label}
      </label>
      {props.children}
    </div>
  )
}

/** One of several, as a list that opens: [value, words]. */
export function Select<T extends string>(props: {
  readonly label: string
  readonly isBare?: boolean
  readonly value: T
  readonly options: readonly (readonly [value: T, words: string])[]
  readonly isDisabled?: boolean
  readonly onPick: (value: T) => void
}) {
  const {label, isBare = false, value, options, isDisabled = false, onPick} = props
  const id = useId()
  return (
    <Labelled id={id} label={label} isBare={isBare}>
      <select
        class="field"
        id={id}
        value={value}
        disabled={isDisabled}
        onChange={event => onPick(event.currentTarget.value as T)}
      >
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

/** One of a few, as visible radios: [value, words]. */
export function Choices<T extends string>(props: {
  readonly legend: string
  readonly value: T
  readonly options: readonly (readonly [value: T, words: string])[]
  readonly onPick: (value: T) => void
}) {
  const {legend, value, options, onPick} = props
  const name = useId()
  return (
    <fieldset class="choices">
      <legend class="unseen">{legend}</legend>
      {options.map(([option, words]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onPick(option)} /> {words}
        </label>
      ))}
    </fieldset>
  )
}

/** A button that asks for files. */
export function Browse(props: {
  readonly look?: 'primary' | undefined
  readonly onFiles: (files: readonly File[]) => unknown
  readonly children: string
}) {
  return (
    <label class={`button ${props.look ?? ''} browse`}>
      {props.children}
      <input
        class="unseen"
        type="file"
        multiple
        onChange={async event => {
          const field = event.currentTarget
          await props.onFiles([...(field.files ?? [])])
          // The same file may be chosen again.
          field.value = ''
        }}
      />
    </label>
  )
}

/** Files that are dropped anywhere on the page. */
export function useDrop(onFiles: (files: readonly File[]) => unknown): void {
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const allow = (event: DragEvent) => event.preventDefault()
    const drop = (event: DragEvent) => {
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) latest.current(files)
    }
    document.addEventListener('dragover', allow)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', allow)
      document.removeEventListener('drop', drop)
    }
  }, [])
}
