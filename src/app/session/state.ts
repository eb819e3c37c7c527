/** What the page shows of the results: how far the work is, each concept, and findings. */
import {isMeasured, type SourcedRates} from '../../learn/noise/index.ts'
import type {Finding, UncoveredGroup} from '../../use/advice/index.ts'
import type {Documents} from './documents.ts'
import {firedIn, thresholdOf} from './facts.ts'
import type {Pipeline, Results, Stages} from './pipeline.ts'

export interface SessionState extends Stages {
  /** Of the project that these results follow from; results of an older one are marked `old`. */
  readonly revision: number
  readonly documents: number
  /** Documents that are held out for evaluation, beside these. */
  readonly heldOut: number
  /** Why a fit waits until it is asked for, if it does. */
  readonly waits?: string
  readonly concepts: readonly ConceptState[]
  readonly findings: readonly Finding[]
  /** Documents that no anchor covers. */
  readonly uncovered: readonly UncoveredGroup[]
  /** Whether the doctor has looked at the anchors, perhaps before the last edit. */
  readonly isExamined: boolean
  /** Concepts by where their rates come from. */
  readonly rates: {readonly given: number; readonly labels: number; readonly guess: number}
  /** The probability from which a concept is reported. */
  readonly threshold?: number
}

export interface ConceptState {
  readonly name: string
  /** Documents where its anchor fires. */
  readonly documents: number
  /** If somebody measured them. */
  readonly rates?: SourcedRates
  /** Why it is left out of the model. */
  readonly refused?: string
}

export function sessionState(
  {newest, results, stages, waits}: Pipeline,
  documents: Documents | undefined
): SessionState {
  const {examined, learned} = results
  const rates = newestRates(results)
  const count = (...kinds: readonly SourcedRates['basis'][]) =>
    [...rates.values()].filter(({basis}) => kinds.includes(basis)).length
  return {
    revision: newest?.revision ?? 0,
    ...stages,
    documents: documents?.count ?? 0,
    heldOut: documents?.heldOut ?? 0,
    concepts: (newest?.project.anchors ?? []).map(({concept}) => conceptState(concept, results, rates.get(concept))),
    findings: examined?.diagnosis.findings ?? [],
    uncovered: examined?.diagnosis.uncovered ?? [],
    isExamined: examined !== undefined,
    rates: {given: count('given'), labels: count('labels'), guess: count('constant', 'balance')},
    ...(waits !== undefined && {waits}),
    ...(learned && {threshold: thresholdOf(learned.model)})
  }
}

function conceptState(name: string, results: Results, rates: SourcedRates | undefined): ConceptState {
  const refused = rates === undefined ? refusalOf(name, results) : undefined
  return {
    name,
    documents: firedIn(name, results).length,
    ...(rates && isMeasured(rates.basis) && {rates}),
    ...(refused !== undefined && {refused})
  }
}

/** Why a concept is left out of the model. */
function refusalOf(name: string, {encoded, examined}: Results): string | undefined {
  const own = encoded?.project.anchors.find(({concept}) => concept === name)
  if (own?.any.length === 0) return 'it has no member yet'
  const all = [...(examined?.verdict.refused ?? []), ...(encoded?.lexicon.skipped ?? [])]
  return all.find(({concept}) => concept === name)?.reason
}

/** The newest rates of each concept: those of the model, or those of the check of the anchors, or of the counts before it. */
function newestRates({encoded, examined, learned}: Results): ReadonlyMap<string, SourcedRates> {
  const found = [
    {revision: learned?.encoded.revision, rates: learned?.model.certificate.noise.concepts},
    {revision: examined?.encoded.revision, rates: examined?.verdict.rates},
    {revision: encoded?.revision, rates: encoded?.counted?.rates}
  ]
  const [newest] = found.filter(({rates}) => rates !== undefined).sort((a, b) => (b.revision ?? 0) - (a.revision ?? 0))
  return new Map(newest?.rates?.map(rate => [rate.concept, rate]))
}
