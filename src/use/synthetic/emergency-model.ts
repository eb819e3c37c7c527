import type {BayesNetwork} from '../../base/network/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {backgroundOtherwise, backgroundWords, conditionTable} from './emergency-conditions.ts'
import {knownModel} from './random-model.ts'

/**
 * A stand-in for the paper's emergency department, whose records cannot be shared: its 23 conditions with invented
 * figures (`emergency-conditions.ts`), with a network of at most two parents per condition. The paper keeps patients with two
 * conditions or more; about two documents in five would remain, and readers can filter them.
 */
export function emergencyModel(): Model<BayesNetwork> {
  const conditions = conditionTable
    .trim()
    .split(/\n(?=\S)/)
    .map(parseCondition)
  const names = conditions.map(({name}) => name)
  const background = parseShares(backgroundWords)
  // The default order of strings is by code unit, as in the lexicon.
  const words = [
    ...new Set([background, ...conditions.map(condition => condition.words)].flatMap(w => [...w.keys()]))
  ].sort()
  const failure = conditions.flatMap(condition => words.map(word => 1 - (condition.words.get(word) ?? 0)))
  const leak = words.map(word => background.get(word) ?? backgroundOtherwise / 100)
  return knownModel({
    anchors: conditions.map(({name, anchors, fires: [present, absent]}) => ({
      concept: name,
      any: anchors,
      not: [],
      rates: {kind: 'rates', truePositive: present / 100, falsePositive: absent / 100}
    })),
    network: {
      parents: conditions.map(condition => condition.parents.map(parent => names.indexOf(parent))),
      cpt: conditions.map(condition => Float64Array.from(condition.chance, share => share / 100))
    },
    loadings: {
      conceptCount: conditions.length,
      wordCount: words.length,
      failure: Float64Array.from(failure),
      leak: Float64Array.from(leak)
    },
    words,
    options: {generator: 'emergency'}
  })
}

function parseCondition(text: string) {
  const [, name, parents = '', chance, present, absent, anchors, words] =
    /^(.+?)(?: <- (.+))?: (.+)\n {2}([\d.]+) ([\d.]+): (.+)\n([\s\S]+)$/.exec(text) ?? []
  if (words === undefined) throw new Error(`internal error: "${text}" is not a condition`)
  return {
    name,
    parents: parents === '' ? [] : parents.split(', '),
    chance: chance.split(' ').map(Number),
    fires: [Number(present), Number(absent)],
    anchors: anchors.split(', '),
    words: parseShares(words)
  }
}

/** `word per-cent, ...` as shares of 1. A word may hold blanks and digits: its figure follows the last blank. */
function parseShares(list: string): Map<string, number> {
  return new Map(
    list.split(',').map(entry => {
      const [, word, share] = /^\s*(.+) ([\d.]+)\s*$/.exec(entry) ?? []
      if (share === undefined) throw new Error(`internal error: "${entry.trim()}" is not a word and its per cent`)
      return [word, Number(share) / 100]
    })
  )
}
