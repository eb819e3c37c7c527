/** What the page shows of the results: each concept with its prevalence, findings, and how far the work is. */
import type {LearnedModel} from '../../learn/learn.ts'
import {isMeasured, type SourcedRates} from '../../learn/noise/index.ts'
import type {Project} from '../project/index.ts'
import type {Results, Stages} from './pipeline.ts'
import type {ConceptState, SessionState} from './views.ts'

/** The probability from which a concept is reported; of a model without one, from which it is more likely than not. */
export function thresholdOf({wordModel}: Pick<LearnedModel, 'wordModel'>): number {
  return wordModel.threshold ?? 0.5
}

export function sessionState(
  project: Project | undefined,
  revision: number,
  results: Results,
  stages: Stages
): Omit<SessionState, 'documents' | 'heldOut' | 'waits'> {
  const {examined, learned} = results
  const rates = shownRates(results)
  const bases = [...rates.values()].map(({basis}) => basis)
  const count = (...kinds: readonly SourcedRates['basis'][]) => bases.filter(basis => kinds.includes(basis)).length
  return {
    revision,
    ...stages,
    concepts: (project?.anchors ?? []).map(({concept}) => conceptState(concept, results, rates)),
    findings: examined?.diagnosis.findings ?? [],
    uncovered: examined?.diagnosis.uncovered ?? [],
    isExamined: examined !== undefined,
    rates: {given: count('given'), labels: count('labels'), guess: count('constant', 'balance')},
    ...(learned && {threshold: thresholdOf(learned.model)})
  }
}

function conceptState(name: string, results: Results, rates: ReadonlyMap<string, SourcedRates>): ConceptState {
  const own = rates.get(name)
  const refused = refusalOf(name, results)
  return {
    name,
    documents: firedIn(name, results).length,
    ...(own && isMeasured(own.basis) && {rates: own}),
    ...(refused !== undefined && own === undefined && {refused})
  }
}

/** The documents where the anchor of a concept fires. */
export function firedIn(name: string, {encoded}: Results): Uint32Array {
  const i = encoded?.lexicon.anchors.findIndex(({concept}) => concept === name) ?? -1
  return encoded?.fired[i] ?? new Uint32Array()
}

/** Why a concept is left out of the model. */
function refusalOf(name: string, {encoded, examined}: Results): string | undefined {
  const own = encoded?.project.anchors.find(({concept}) => concept === name)
  if (own?.any.length === 0) return 'it has no member yet'
  const all = [...(examined?.verdict.refused ?? []), ...(encoded?.lexicon.skipped ?? [])]
  return all.find(({concept}) => concept === name)?.reason
}

/** The newest rates of each concept: those of the model, or those of the check of the anchors, or of the counts before it. */
export function shownRates({encoded, examined, learned}: Results): ReadonlyMap<string, SourcedRates> {
  const found = [
    {revision: learned?.encoded.revision, rates: learned?.model.certificate.noise.concepts},
    {revision: examined?.encoded.revision, rates: examined?.verdict.rates},
    {revision: encoded?.revision, rates: encoded?.counted?.rates}
  ]
  const [newest] = found.filter(({rates}) => rates !== undefined).sort((a, b) => (b.revision ?? 0) - (a.revision ?? 0))
  return new Map(newest?.rates?.map(rate => [rate.concept, rate]))
}
