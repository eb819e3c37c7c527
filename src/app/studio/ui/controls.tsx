import type {ComponentChildren, ComponentProps, Ref} from 'preact'
import {useEffect, useId, useRef, useState} from 'preact/hooks'
import {sentence} from './sentence.ts'

type ButtonProps = Omit<ComponentProps<'button'>, 'class'> & {
  /** One filled button a page: the next step of the work. */
  readonly look?: 'primary' | 'quiet' | undefined
  /** In tables. */
  readonly isLittle?: boolean
  /** Further classes of the frame. */
  readonly also?: string
  /** What it acts on, for screen readers, where its words do not say so. */
  readonly of?: string
}

export function Button({look, isLittle, also, of, children, ...rest}: ButtonProps) {
  const classes = ['button', look, isLittle && 'little', also].filter(Boolean).join(' ')
  return (
    <button type="button" class={classes} {...rest}>
      {children}
      {of === undefined ? null : <span class="unseen">{` ${of}`}</span>}
    </button>
  )
}

/** A button that opens a popover: a menu, or on narrow screens a part of the page. */
export function OpenButton({opens, also, children}: {opens: string; also: string; children: ComponentChildren}) {
  return (
    <Button also={also} popovertarget={opens}>
      <span>{children}</span> <span aria-hidden="true">▾</span>
    </Button>
  )
}

type InputProps = 'placeholder' | 'inputMode' | 'autocapitalize' | 'aria-invalid' | 'aria-describedby' | 'onKeyDown'

type FieldProps = Pick<ComponentProps<'input'>, InputProps> & {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** The name is for screen readers only. */
  readonly isBare?: boolean
  /** What is wrong with the value. */
  readonly fault?: string | undefined
  /** For many lines. */
  readonly isLong?: boolean
  readonly inputRef?: Ref<HTMLInputElement>
}

/** An input with its name above, and what is wrong with it below. */
export function Field({label, isBare = false, fault, isLong, onInput, inputRef = null, ...rest}: FieldProps) {
  const id = useId()
  // They have the same properties.
  const Input = (isLong ? 'textarea' : 'input') as 'input'
  return (
    <Labelled id={id} label={label} isBare={isBare}>
      <Input
        class="field"
        id={id}
        ref={inputRef}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onInput={event => onInput(event.currentTarget.value)}
        {...rest}
      />
      {fault ? (
        <p class="say bad" id={`${id}-fault`}>
          {fault}
        </p>
      ) : null}
    </Labelled>
  )
}

/** A name that is changed in place: Enter makes it final, or leaving the field; Esc leaves it as it was. */
export function NameField(props: {label: string; name: string; also?: string; onName: (name: string) => void}) {
  const {label, name, also = '', onName} = props
  return (
    <input
      class={`field ${also}`}
      aria-label={label}
      autocomplete="off"
      spellcheck={false}
      size={Math.min(40, Math.max(8, name.length))}
      value={name}
      onChange={({currentTarget: field}) => {
        const typed = field.value.trim()
        field.value = name
        if (typed !== '' && typed !== name) onName(typed)
      }}
      onKeyDown={({key, currentTarget: field}) => {
        if (key === 'Escape') field.value = name
        if (key === 'Enter' || key === 'Escape') field.blur()
      }}
    />
  )
}

interface TextFormProps extends Pick<FieldProps, 'label' | 'isBare' | 'isLong' | 'placeholder' | 'inputMode'> {
  /** What is typed at first. */
  readonly value?: string
  /** On the button. */
  readonly words: string
  readonly look?: ButtonProps['look']
  /** The class of the form. */
  readonly class: string
  /** The form has been opened to be typed in: it takes the focus. */
  readonly isOpened?: boolean
  /** Leaves the form; without it, the form stays. */
  readonly onCancel?: () => void
  /** What is wrong with the text, if anything. */
  readonly faultOf?: (text: string) => string | undefined
  /** Takes the text, or refuses it by an error. */
  readonly onText: (text: string) => unknown
  /** What is said of the text while it is typed. */
  readonly note?: (text: string) => string
  /** Beside the button. */
  readonly children?: ComponentChildren
}

/** A text that is given by Enter or a button; what is wrong with it is said below, and it stays until it is mended. */
export function TextForm(props: TextFormProps) {
  const {
    value = '',
    words,
    look,
    isOpened = false,
    onCancel,
    faultOf,
    onText,
    note,
    children,
    class: classes,
    ...field
  } = props
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (isOpened) input.current?.focus()
  }, [])
  const submit = async (event: Event) => {
    event.preventDefault()
    const text = typed.trim()
    setBusy(true)
    const found = faultOf?.(text) ?? (await refusalOf(() => onText(text)))
    setBusy(false)
    setFault(found === undefined ? undefined : sentence(found))
    if (found === undefined) setTyped(value)
  }
  return (
    <form class={classes} onSubmit={submit}>
      <Field
        {...field}
        value={typed}
        fault={fault}
        inputRef={input}
        onInput={next => {
          setTyped(next)
          setFault(undefined)
        }}
        onKeyDown={({key}) => {
          if (key === 'Escape') onCancel?.()
        }}
      />
      {note === undefined ? null : <p class="soft">{note(typed)}</p>}
      <div class="rowed">
        <Button type="submit" look={look} disabled={isBusy}>
          {isBusy ? 'Looking …' : words}
        </Button>
        {onCancel === undefined ? null : (
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        {children}
      </div>
    </form>
  )
}

async function refusalOf(act: () => unknown): Promise<string | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
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

/** A number, taken over when it is typed to the end; the browser says what is wrong with another one. */
export function NumberField(props: {
  readonly label: string
  readonly value: number | undefined
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly isDisabled?: boolean
  readonly onPick: (value: number | undefined) => void
}) {
  const {label, value, min = 0, max, step = 'any', isDisabled = false, onPick} = props
  const id = useId()
  return (
    <Labelled id={id} label={label} isBare={false}>
      <input
        class="field"
        id={id}
        type="number"
        {...{min, max, step}}
        disabled={isDisabled}
        value={value ?? ''}
        onChange={({currentTarget: field}) => {
          if (field.reportValidity()) onPick(field.value === '' ? undefined : field.valueAsNumber)
        }}
      />
    </Labelled>
  )
}

type Options<T extends string> = readonly (readonly [value: T, words: string, isDisabled?: boolean])[]

/** One of several, as a list that opens. */
export function Select<T extends string>(props: {
  readonly label: string
  readonly isBare?: boolean
  readonly value: T
  readonly options: Options<T>
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
        {options.map(([name, words, isDisabled]) => (
          <option key={name} value={name} disabled={isDisabled}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

/** One of a few, as visible radios. */
export function Choices<T extends string>(props: {
  readonly legend: string
  readonly value: T
  readonly options: Options<T>
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
