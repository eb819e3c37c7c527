import {fit} from '../../learn/fit.ts'
import type {Model} from '../../learn/model/index.ts'
import {anchorsWithRates} from '../../learn/model/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import type {CorpusDocument} from '../../read/data/index.ts'
import {keptOptions} from './kept-options.ts'

/**
 * ADFA-independent (Section 5.4): the same learner, anchors, rates and words, without any edge between the concepts and with
 * noisy-or words. It shows what the network of a model is worth. Tags of the documents are not looked at.
 */
export function fitIndependent(model: Model, documents: readonly CorpusDocument[]): Model {
  const lexicon = {...model.lexicon, anchors: anchorsWithRates(model)}
  const same = keptOptions(model, [
    'preset',
    'falseAnchors',
    'divergence',
    'shrinkage',
    'wordSigmas',
    'wordShrinkage',
    'leakFloor',
    'seed'
  ])
  return fit(countCorpus({lexicon, documents}), {
    ...same,
    noise: 'given',
    structure: 'independent',
    words: 'noisy-or'
  })
}
