import {useEffect, useRef, useState} from 'preact/hooks'
import type {DocumentView} from '../../../session/index.ts'
import {Button} from '../../ui/controls.tsx'
import {DocText} from '../../ui/doc-text.tsx'
import {selectedFeature} from '../../ui/select-words.ts'
import {AnchorBox} from '../anchors/probe-box.tsx'

/** The document that is open, with its words marked for the concept at hand; selected words can become an anchor. */
export function TextArea(props: {
  readonly view: DocumentView
  readonly concept: string | undefined
  readonly onMove: (key: 'j' | 'k') => void
}) {
  const {view, concept, onMove} = props
  const text = useRef<HTMLDivElement>(null)
  const [feature, setFeature] = useState<string | undefined>(undefined)
  // A box belongs to the document it was opened for.
  useEffect(() => setFeature(undefined), [view.at])
  useEffect(() => {
    const look = () => {
      const selected = selectedFeature(text.current)
      if (selected !== undefined) setFeature(selected)
    }
    document.addEventListener('pointerup', look)
    document.addEventListener('keyup', look)
    return () => {
      document.removeEventListener('pointerup', look)
      document.removeEventListener('keyup', look)
    }
  }, [])
  const close = () => {
    // What stays selected would open the box again.
    getSelection()?.removeAllRanges()
    setFeature(undefined)
  }
  return (
    <section class="area" aria-labelledby="text-title">
      <div class="head">
        <h2 id="text-title" tabIndex={-1}>
          {view.name}
        </h2>
        <span class="steps">
          <Button look="quiet" isLittle onClick={() => onMove('j')}>
            <kbd>j</kbd> next
          </Button>
          <Button look="quiet" isLittle onClick={() => onMove('k')}>
            <kbd>k</kbd> previous
          </Button>
        </span>
      </div>
      <div ref={text}>
        <DocText parts={view.parts} hasWeights />
      </div>
      {feature === undefined ? (
        <Button isLittle also="as-anchor" onClick={() => setFeature('')}>
          Use words as an anchor
        </Button>
      ) : (
        <AnchorBox key={feature} feature={feature} concept={concept} onClose={close} />
      )}
      <p class="soft small foot">{legend(concept)}</p>
    </section>
  )
}

function legend(concept: string | undefined): string {
  const words =
    concept === undefined
      ? ''
      : ` Underlined: evidence for ${concept} (solid) or against it (dashed), thicker for more, with its log-odds.`
  return `Boxed: an anchor, with its concept.${words} Struck out or grey: not read. Select words to use them as an anchor.`
}
