import {AdfaError} from '../../base/checks/index.ts'

export interface CountOptions {
  /** Share of the documents whose tags or labels are counted, for noise rates; 0 leaves them unread. */
  readonly labelShare: number
  readonly seed: number
}

export const countDefaults: CountOptions = {labelShare: 0, seed: 0}

/** Refuse values that make no sense. */
export function checkCountOptions<T extends CountOptions>(options: T): T {
  const {labelShare, seed} = options
  if (!(labelShare >= 0 && labelShare <= 1))
    throw new AdfaError('bad-option', `label-share is a share in [0, 1]; got ${labelShare}`)
  if (!Number.isSafeInteger(seed)) throw new AdfaError('bad-option', `seed is a whole number; got ${seed}`)
  return options
}
