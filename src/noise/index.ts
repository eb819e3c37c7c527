export {
  estimateNoise,
  findRateFaults,
  type NoiseCertificate,
  type NoiseMethod,
  type NoiseRates
} from './estimate-noise.ts'
