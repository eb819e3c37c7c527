import type {ComponentChildren} from 'preact'
import {useEffect, useRef, useState} from 'preact/hooks'
import {Button} from './parts.tsx'

interface SelectedProps {
  readonly concept: string
  readonly onTry: (feature: string) => void
  readonly children: ComponentChildren
}

/** Words that are selected in the text of documents can be tried as an anchor. */
export function SelectedWords({concept, onTry, children}: SelectedProps) {
  const root = useRef<HTMLDivElement>(null)
  const [feature, setFeature] = useState<string>()
  useEffect(() => {
    const look = () => setFeature(root.current === null ? undefined : selectedFeature(root.current))
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [])
  return (
    <div class="selecting" ref={root}>
      {children}
      {feature === undefined ? null : (
        <div class="selected">
          {/* The selection would be gone before the click. */}
          <Button onMouseDown={event => event.preventDefault()} onClick={() => onTry(feature)}>
            <span class="clip">
              Try <code>{feature}</code> for {concept}
            </span>
          </Button>
        </div>
      )}
    </div>
  )
}

/** Longer selections are no phrase of an anchor. */
const LONGEST = 80

/** The feature that one word became, or the words themselves. */
function selectedFeature(root: HTMLElement): string | undefined {
  const selection = document.getSelection()
  const {anchorNode, focusNode} = selection ?? {}
  if (!selection || selection.isCollapsed || !anchorNode || !focusNode) return undefined
  if (!root.contains(anchorNode) || !root.contains(focusNode)) return undefined
  const text = selection.toString().replace(/\s+/g, ' ').trim()
  if (text === '' || text.length > LONGEST) return undefined
  const [one, other] = [anchorNode, focusNode].map(node => node.parentElement?.closest<HTMLElement>('[data-feature]'))
  return (one === other && one?.dataset.feature) || text
}
