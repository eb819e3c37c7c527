import {Option} from 'commander'
import type {Model} from '../../../learn/model/index.ts'
import type {RefinementCertificate} from '../../../learn/training/index.ts'
import {counted, percent} from '../text.ts'

export function refineOption(): Option {
  return new Option(
    '--refine',
    'read the documents again and let the words of the concepts follow them, as far as that foretells anchors of documents left out surely better'
  )
}

/** What was chosen, for people. */
export function refinementText(
  {wordModel}: Model,
  {steps, strength, documents, chosen}: RefinementCertificate
): string {
  if (steps === 0 && strength === 1)
    return `refined: nothing tried on ${counted(documents, 'document')} foretold anchors surely better, so all words stay as they were`
  const changes = [
    ...(steps === 0 ? [] : [`followed ${counted(documents, 'document')} for ${counted(steps, 'step')}`]),
    ...(strength === 1 ? [] : [`count for ${percent(strength)} of what they did`])
  ]
  const {gain, gainError} = chosen
  const [middle, low, high] = [0, -2, 2].map(errors => percent(Math.exp(gain + errors * gainError) - 1))
  const predictions =
    wordModel.kind === 'noisy-or'
      ? ''
      : '\npredictions stay as they were: they come from words in log-odds; --words noisy-or predicts by the refined words'
  return `refined: words ${changes.join(' and ')}; by them the anchors of documents left out are ${middle} likelier than before (${low} to ${high})${predictions}`
}
