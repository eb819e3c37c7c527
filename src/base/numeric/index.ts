export {betaQuantile, chiSquareTail} from './distributions.ts'
export {exp, log, log1p} from './elementary.ts'
export {crc32, hashShare} from './hash.ts'
export {choleskyFactor, choleskySolve, conjugateGradients, dot} from './linear-algebra.ts'

export {clamp, logit, mutualInformation, sigmoid} from './probability.ts'
export {type Rng, randomIndex, rng, shuffled} from './rng.ts'
