import type {Model} from '../../learn/model/index.ts'
import {certificateFacts, isDrawable, linkRules, shownRates} from '../../use/facts/index.ts'
import {placedNetwork} from './draw-network.ts'
import type {Graphviz, NetworkPlaces} from './layout-network.ts'

/** What a picture of a network is asked for: a part of it `around` a concept, or its concepts in the places of another picture. */
interface PictureRequest {
  readonly around?: string | undefined
  readonly places?: NetworkPlaces | undefined
}

/** The network with the prevalences that people are shown; undefined if it is too dense for exact sums. */
export function networkPicture(model: Model, viz: Graphviz, {around, places}: PictureRequest = {}) {
  if (!isDrawable(model)) return undefined
  const certificate = certificateFacts(model)
  const {network, concepts} = model
  const names = concepts.map(({name}) => name)
  const at = around === undefined ? -1 : names.indexOf(around)
  const options = {
    prevalences: concepts.map(concept => shownRates(certificate, concept)?.prevalence.value),
    isInteractive: true,
    around: at < 0 ? undefined : at,
    rules: linkRules(model)
  }
  return placedNetwork(network, names, viz, options, places)
}
