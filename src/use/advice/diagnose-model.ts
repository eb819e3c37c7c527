import {AdfaError} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import type {Diagnosis} from './diagnose.ts'
import {examine} from './examine.ts'

/** What `adfa doctor` finds in counts with the anchors of the model; `name` is that of the counts. */
export async function diagnoseModel(model: Model, counts: Counts, name: string): Promise<Diagnosis> {
  checkSameAnchors(model, counts, name)
  return (await examine(counts, {seed: 0, rows: undefined, sample: () => undefined})).diagnosis
}

/** Every anchor of the model must be in the counts, with the same features; the counts may have more. */
function checkSameAnchors({lexicon}: Model, counts: Counts, name: string): void {
  const described = ({any, not}: Counts['lexicon']['anchors'][number]) => JSON.stringify([any, not])
  const counted = new Map(counts.lexicon.anchors.map(anchor => [anchor.concept, described(anchor)]))
  const other = lexicon.anchors.find(anchor => counted.get(anchor.concept) !== described(anchor))
  if (other !== undefined)
    throw new AdfaError(
      'mismatch',
      `${name}: its anchors are not those of the model: "${other.concept}" is ${counted.has(other.concept) ? 'anchored otherwise' : 'not in it'}; ` +
        'give the counts the model was learned from, or count with --like and the model'
    )
}
