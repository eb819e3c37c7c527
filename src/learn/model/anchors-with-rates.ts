import type {Anchors} from '../../read/data/index.ts'
import type {Model} from './model.ts'

/** The model's anchors together with its rates, as an anchors file has them: what a new fit of the same concepts needs. */
export function anchorsWithRates({lexicon, concepts}: Model): Anchors {
  return lexicon.anchors.map((anchor, i) => {
    const {truePositive, falsePositive} = concepts[i]
    return {...anchor, rates: {kind: 'rates', truePositive, falsePositive}}
  })
}
