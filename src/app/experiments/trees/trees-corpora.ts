import {AdfaError} from '../../../base/checks/index.ts'
import type {Corpus, CorpusDocument} from '../../../read/data/index.ts'
import {anchorsWithTagRates, type Material} from '../material.ts'

/** A rate of exactly 0 or 1 is refused; this far from it, moments differ from counting by less than 1e-8. */
const NEARLY_NEVER = 1e-9

/** All documents by their anchors alone, with the rates that the tags show: what a network is learned from. */
export function anchorCorpus({lexicon, documents}: Material): Corpus {
  return {
    lexicon: {...lexicon, words: [], anchors: anchorsWithTagRates(lexicon, documents)},
    documents: documents.map(document => ({...document, evidence: {...document.evidence, words: []}}))
  }
}

/** The same with every tag as its own perfect anchor; documents whose tags are not all known are left out. */
export function tagCorpus({name, lexicon, documents}: Material): Corpus {
  const anchors = lexicon.anchors.map(({concept}) => ({
    concept,
    any: [concept],
    not: [],
    rates: {kind: 'rates', truePositive: 1 - NEARLY_NEVER, falsePositive: NEARLY_NEVER} as const
  }))
  const tagged = documents.flatMap(({key, truth}): CorpusDocument[] => {
    if (truth === undefined || truth.includes(-1)) return []
    const tags = [...truth.keys()].filter(i => truth[i] === 1)
    return [{key, truth, evidence: {words: [], anchors: tags, members: tags}}]
  })
  if (tagged.length === 0)
    throw new AdfaError(
      'bad-document',
      `${name}: no document has all its tags known, and a network is learned from them; give documents with "tags", not "labels" of some concepts`
    )
  return {lexicon: {...lexicon, words: [], anchors}, documents: tagged}
}
