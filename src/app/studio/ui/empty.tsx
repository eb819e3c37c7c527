import type {ComponentChildren} from 'preact'
import {type PageName, useStudio} from '../store.ts'
import {Button} from './controls.tsx'

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
      <section class="area stack">
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
      </section>
    </>
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
