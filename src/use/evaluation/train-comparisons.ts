import type {Model} from '../../learn/model/index.ts'
import type {CorpusDocument} from '../../read/data/index.ts'
import {anchorsInNetwork, trainBaselines, trainCeiling, trainVoteBaselines} from '../baselines/index.ts'
import {createPredictor} from '../prediction/index.ts'
import {fitIndependent} from './refits.ts'

/** What is trained, in words, and how many of its classifiers are there. */
export type OnTrained = (what: 'baselines' | 'baselines of votes' | 'ceilings', done: number, all: number) => void

/** Baselines that learn from anchors, then upper bounds that learn from true tags, in steps that take long. */
export function comparisonSteps(
  model: Model,
  documents: readonly CorpusDocument[],
  seed: number,
  onTrained: OnTrained = () => {}
) {
  const {concepts, lexicon, network} = model
  const corpus = {lexicon, documents}
  const telling = (what: Parameters<OnTrained>[0]) => ({
    onProgress: (done: number, all: number) => onTrained(what, done, all)
  })
  return {
    refits: async () => ({
      'anchors-network': anchorsInNetwork(corpus, concepts, network),
      independent: createPredictor(await fitIndependent(model, documents))
    }),
    baselines: () => trainBaselines(corpus, concepts, {seed}, telling('baselines')),
    votes: () => trainVoteBaselines(corpus, concepts, {seed}, telling('baselines of votes')),
    ceilings: () => trainCeiling(corpus, concepts, {seed}, telling('ceilings'))
  }
}

/** All of them. */
export async function trainComparisons(...given: Parameters<typeof comparisonSteps>) {
  const {refits, baselines, votes, ceilings} = comparisonSteps(...given)
  return {...(await refits()), ...baselines(), ...votes(), ...ceilings()}
}
