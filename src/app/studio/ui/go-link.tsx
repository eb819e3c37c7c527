import type {ComponentChildren} from 'preact'
import {counted, grouped} from '../../../base/text/index.ts'
import type {View} from '../store.ts'
import {useStudio} from '../store.ts'

interface GoProps {
  readonly to: Partial<View>
  /** More than what is shown, for screen readers. */
  readonly label?: string
  readonly tabIndex?: number
  readonly isCurrent?: boolean
  readonly onFocus?: () => void
  /** After the way is gone. */
  readonly onGone?: () => void
  readonly children: ComponentChildren
}

/** A link to something else in the studio. Its address names the page alone, and no word of a document. */
export function GoLink({to, label, tabIndex, isCurrent = false, onFocus, onGone, children}: GoProps) {
  const studio = useStudio()
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    studio.go(to)
    onGone?.()
  }
  return (
    <a
      href={`#page=${to.page ?? studio.view.peek().page}`}
      aria-label={label}
      aria-current={isCurrent ? 'true' : undefined}
      tabIndex={tabIndex}
      onFocus={onFocus}
      onClick={follow}
    >
      {children}
    </a>
  )
}

/** How many documents have a word; a step to them. */
export function DocumentsLink(props: {concept: string; feature: string; documents: number}) {
  const {concept, feature, documents} = props
  if (documents === 0) return <>0</>
  return (
    <GoLink
      to={{page: 'documents', query: {concept, has: feature}, document: undefined}}
      label={`${counted(documents, 'document')} with ${feature}`}
    >
      {grouped(documents)}
    </GoLink>
  )
}
