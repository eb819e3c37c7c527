import type {Channel, Model} from '../model/index.ts'

/** Which evidence counts, and how words speak. */
export interface EvidenceUse {
  /** 'model': as the model was learned to; 'noisy-or': by its noisy-or links, which every model has. */
  readonly wordModel: 'model' | 'noisy-or'
  /** 'hidden': whether the anchors fired is taken as unknown. */
  readonly anchors: 'used' | 'hidden'
  /** 'hidden': which words occur is taken as unknown. */
  readonly words: 'used' | 'hidden'
}

export function wordModelOf(model: Model, asked: EvidenceUse['wordModel']): Channel {
  return asked === 'model' ? model.wordModel : {kind: 'noisy-or'}
}
