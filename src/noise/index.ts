export {estimateNoise, type NoiseCertificate, type NoiseMethod, type NoiseRates} from './estimate-noise.ts'
