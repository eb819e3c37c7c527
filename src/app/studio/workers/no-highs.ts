import {AdfaError} from '../../../base/checks/index.ts'

/** Stands for HiGHS in the scripts of the studio: it needs a second file, which a page from disk cannot load. */
export async function openHighs(): Promise<never> {
  throw new AdfaError(
    'bad-option',
    'this method needs the solver HiGHS, which the studio does not have; save the project and learn the model with adfa run, or choose another structure or solver'
  )
}
