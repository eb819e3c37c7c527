import type {Channel, Model} from '../model/index.ts'

/** Which evidence counts, and how words speak. */
export interface EvidenceUse {
  /** 'model': as the model was learned to; 'noisy-or': by its noisy-or links, which every model has. */
  readonly channel: 'model' | 'noisy-or'
  /** 'hidden': whether the anchors fired is taken as unknown. */
  readonly anchors: 'used' | 'hidden'
  /** 'hidden': which words occur is taken as unknown. */
  readonly words: 'used' | 'hidden'
}

export function wordChannel(model: Model, asked: EvidenceUse['channel']): Channel {
  return asked === 'model' ? model.channel : {kind: 'noisy-or'}
}
