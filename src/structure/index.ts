export {type LatentNetwork, logPrior, parentState, topologicalOrder} from './latent-network.ts'
