import type {RemedyPlaces} from '../present/index.ts'

/** The command or the option that a remedy needs. */
export const remedyCommands: RemedyPlaces = {
  suggestions: 'adfa suggest',
  forms: 'adfa suggest',
  negation: '--negation'
}
