import {randomFillSync} from 'node:crypto'
import type {Command} from 'commander'
import {rng} from '../../../base/numeric/index.ts'
import {type AnchorSource, type CountingEngine, limitEngine} from '../../../read/engines/index.ts'
import {
  checkPrivacyRules,
  limitEvidence,
  type NoiseRandomness,
  type PrivacyRules,
  privacyDefaults
} from '../../../read/pooling/index.ts'
import {above0, flagOf, positiveNumber, usageError} from '../common-options.ts'
import {addOptions} from '../declare.ts'

/** Noise with a privacy budget. */
export interface PrivacyOptions extends Partial<Omit<PrivacyRules, 'mechanism'>> {
  readonly privacy?: PrivacyRules['mechanism']
}

const MECHANISMS: readonly PrivacyRules['mechanism'][] = ['laplace', 'gaussian']

export function addPrivacyOptions(command: Command): Command {
  const {delta, mostAnchors, mostWords} = privacyDefaults
  return addOptions(command, {
    privacy: MECHANISMS,
    epsilon: above0,
    delta: above0,
    mostAnchors: positiveNumber,
    mostWords: positiveNumber
  })`
    --privacy <noise>   add noise to the tables that hides any single document
    --epsilon <e>       with --privacy: the privacy budget; 1 protects well, 10 hardly
    --delta <d>         with --privacy gaussian: the probability of exceeding the budget (default: ${delta})
    --most-anchors <n>  with --privacy: concepts counted per document (default: ${mostAnchors})
    --most-words <n>    with --privacy: words counted per document (default: ${mostWords})`
}

/** The rules set by the options; undefined without --privacy. */
export function privacyRules(options: PrivacyOptions): PrivacyRules | undefined {
  const {privacy: mechanism, epsilon, delta, mostAnchors, mostWords} = options
  if (mechanism === undefined) {
    const given = Object.entries({epsilon, delta, mostAnchors, mostWords}).find(([, value]) => value !== undefined)
    if (given === undefined) return undefined
    throw usageError(
      `${flagOf(given[0])} sets the amount of noise; choose the noise with --privacy laplace or --privacy gaussian`
    )
  }
  if (epsilon === undefined) throw usageError('--privacy needs its budget: --epsilon 1 protects well, 10 hardly')
  return checkPrivacyRules({
    mechanism,
    epsilon,
    delta: delta ?? (mechanism === 'gaussian' ? privacyDefaults.delta : 0),
    mostAnchors: mostAnchors ?? privacyDefaults.mostAnchors,
    mostWords: mostWords ?? privacyDefaults.mostWords
  })
}

/** The engine with every document limited by the rules; words and anchors must be fixed beforehand. */
export function limited(engine: CountingEngine, source: AnchorSource, rules: PrivacyRules | undefined): CountingEngine {
  if (rules === undefined) return engine
  if (source.kind !== 'lexicon')
    throw usageError(
      '--privacy hides single documents, but words learned from them would reveal them; agree on the words first: ' +
        'give --protocol FILE (made with adfa protocol) or --like FILE'
    )
  return limitEngine(engine, limitEvidence(source.lexicon, rules))
}

/** Randomness that nobody can reproduce; with a seed, for rehearsals, anybody can. */
export function noiseRandomness(seed: number | undefined): NoiseRandomness {
  if (seed !== undefined) {
    const random = rng(seed).stream('privacy noise')
    return {words: () => Math.floor(random.next() * 2 ** 32), isRehearsal: true}
  }
  const drawn = new Uint32Array(1024)
  let used = drawn.length
  const words = () => {
    if (used === drawn.length) {
      randomFillSync(drawn)
      used = 0
    }
    return drawn[used++]
  }
  return {words, isRehearsal: false}
}
