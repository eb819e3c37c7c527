import {useEffect, useRef, useState} from 'preact/hooks'
import type {DocumentView} from '../../../session/index.ts'
import {Area} from '../../ui/area.tsx'
import {Button} from '../../ui/controls.tsx'
import {DocText} from '../../ui/doc-text.tsx'
import {selectedFeature} from '../../ui/select-words.ts'
import {AnchorBox} from '../anchors/probe-box.tsx'

const STEPS = [
  ['j', 'next'],
  ['k', 'previous']
] as const

/** The document that is open, with its words marked for the concept at hand; selected words can become an anchor. */
export function TextArea(props: {
  readonly view: DocumentView
  readonly concept: string | undefined
  readonly onMove: (key: string) => unknown
}) {
  const {view, concept, onMove} = props
  const text = useRef<HTMLDivElement>(null)
  const [feature, setFeature] = useState<string>()
  // A box belongs to the document it was opened for.
  useEffect(() => setFeature(undefined), [view.at])
  useEffect(() => {
    const look = () => setFeature(before => selectedFeature(text.current) ?? before)
    for (const name of ['pointerup', 'keyup']) document.addEventListener(name, look)
    return () => {
      for (const name of ['pointerup', 'keyup']) document.removeEventListener(name, look)
    }
  }, [])
  const close = () => {
    // What stays selected would open the box again.
    getSelection()?.removeAllRanges()
    setFeature(undefined)
  }
  const underlined =
    concept === undefined
      ? ''
      : ` Underlined: evidence for ${concept} (solid) or against it (dashed), thicker for more, with its log-odds.`
  return (
    <Area
      title={view.name}
      id="text-title"
      aside={
        <span class="steps">
          {STEPS.map(([key, words]) => (
            <Button key={key} look="quiet" isLittle onClick={() => onMove(key)}>
              <kbd>{key}</kbd> {words}
            </Button>
          ))}
        </span>
      }
    >
      <div ref={text}>
        <DocText parts={view.parts} />
      </div>
      {feature === undefined ? (
        <Button isLittle also="as-anchor" onClick={() => setFeature('')}>
          Use words as an anchor
        </Button>
      ) : (
        <AnchorBox key={feature} feature={feature} concept={concept} onClose={close} />
      )}
      <p class="soft small foot">
        {`Boxed: an anchor, with its concept.${underlined} Struck out or grey: not read. Select words to use them as an anchor.`}
      </p>
    </Area>
  )
}
