import type {ComponentChildren} from 'preact'
import {useEffect, useRef, useState} from 'preact/hooks'
import {Button} from './parts.tsx'
import {selectedFeature} from './select-words.ts'

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
    const look = () => setFeature(selectedFeature(root.current))
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
