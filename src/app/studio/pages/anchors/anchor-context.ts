import type {Signal} from '@preact/signals'
import {createContext} from 'preact'
import {useContext} from 'preact/hooks'
import type {Anchor} from '../../../../read/data/index.ts'
import type {ConceptView} from '../../../session/index.ts'

/** The concept at hand. */
interface AnchorAtHand {
  readonly anchor: Anchor
  readonly concept: string
  /** What the session knows of it, once it has words. */
  readonly view: ConceptView | undefined
  readonly isOld: boolean
  /** What is typed for it; words that are selected in a document come here too. */
  readonly draft: Signal<string>
}

export const AnchorContext = createContext<AnchorAtHand | undefined>(undefined)

export function useAnchor(): AnchorAtHand {
  const anchor = useContext(AnchorContext)
  if (anchor === undefined) throw new Error('internal error: a part of the Anchors page is drawn without a concept')
  return anchor
}
