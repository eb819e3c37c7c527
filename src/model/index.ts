export type {Channel, Latent, Model} from './model.ts'
