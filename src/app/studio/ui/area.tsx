import type {ComponentChildren} from 'preact'
import {useId, useState} from 'preact/hooks'
import {counted} from '../../../base/text/index.ts'
import {type PageName, useStudio} from '../store.ts'
import {Button} from './controls.tsx'
import {StateMark} from './marks.tsx'

/** A part of a page with one purpose, named by its title, or by a label that is for screen readers only. */
export function Area(props: {
  readonly title?: string | undefined
  /** The id of the title, which can then have the focus. */
  readonly id?: string
  readonly label?: string
  /** Further classes of the frame. */
  readonly also?: string
  /** At the other end of the line of the title. */
  readonly aside?: ComponentChildren
  readonly children?: ComponentChildren
}) {
  const own = useId()
  const {title, id = own, label, also, aside, children} = props
  return (
    <section
      class={also === undefined ? 'area' : `area ${also}`}
      aria-label={label}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title === undefined ? null : (
        <div class="head">
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

/** The head of a page: its name, what it is for, and what can be done. */
export function PageHead({
  title,
  lead,
  children
}: {
  title: string
  lead: ComponentChildren
  children?: ComponentChildren
}) {
  return (
    <div class="page-head">
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      {children ? <div class="do">{children}</div> : null}
    </div>
  )
}

/** Something to know, or what is wrong; nothing where there is nothing to say. */
export function Say({
  is = '',
  role,
  children
}: {
  is?: '' | 'know' | 'bad'
  role?: 'alert' | 'status'
  children?: ComponentChildren
}) {
  if (children === undefined || children === '') return null
  return (
    <p class={`say ${is}`} role={role}>
      {children}
    </p>
  )
}

/** The first rows of a list, and a button that shows the others. */
export function useFew<R>(rows: readonly R[], few: number): [shown: readonly R[], more: ComponentChildren] {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? rows : rows.slice(0, few)
  const left = rows.length - shown.length
  const more = (
    <div key="more" class="rowed more">
      <Button look="quiet" isLittle onClick={() => setAll(true)}>
        Show {counted(left, 'more', 'more')}
      </Button>
    </div>
  )
  return [shown, left > 0 ? more : null]
}

/** A page without what it shows: what is missing, why, and the way to it. */
export function Empty(props: {
  readonly page: string
  readonly title: string
  readonly way?: readonly [words: string, to: PageName]
  readonly children: ComponentChildren
}) {
  const studio = useStudio()
  const {page, title, way, children} = props
  return (
    <>
      <h1 class="unseen">{page}</h1>
      <Area also="stack">
        <p>
          <b>{title}</b> {children}
        </p>
        {way === undefined ? null : (
          <div class="rowed">
            <Button look="primary" onClick={() => studio.go({page: way[1]})}>
              {way[0]}
            </Button>
          </div>
        )}
      </Area>
    </>
  )
}

/** A page about a model, while there is none. */
export function NeedsModel({page}: {page: string}) {
  const studio = useStudio()
  const {numbers, scores} = studio.state.value
  if (studio.project.value.anchors.every(({any}) => any.length === 0))
    return (
      <Empty page={page} title="No model yet." way={['Open Anchors', 'anchors']}>
        It needs concepts with an anchor.
      </Empty>
    )
  return (
    <Empty page={page} title="The model is not ready.">
      <StateMark stage={numbers.is === 'ready' ? scores : numbers} /> {numbers.is === 'failed' ? numbers.message : null}
    </Empty>
  )
}

/** Labels and lists need texts, which counts and models do not hold. */
export function NeedsDocuments({page}: {page: string}) {
  return (
    <Empty page={page} title="Needs documents." way={['Add documents', 'start']}>
      There is no text to label yet; counts and models contain none.
    </Empty>
  )
}
