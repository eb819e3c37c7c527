/** All methods in the order of the tables, grouped by the tags they read. */
export const methodGroups = {
  /** This project; no tags read. */
  ours: ['robust', 'robust-counts', 'robust-noisy-or', 'independent'],
  /** Earlier methods and common alternatives; no tags read either. */
  others: [
    'prior',
    'anchors-only',
    'anchors-network',
    'anchor-label',
    'anchor-label-rule',
    'positive-unlabelled',
    'positive-unlabelled-rule',
    'noise-unbiased',
    'noise-unbiased-rule',
    'noise-weighted',
    'noise-weighted-rule',
    'imputation',
    'paper',
    'paper-independent'
  ],
  /** Trained on all tags of the training documents. */
  oracles: [
    'oracle-anchors-network',
    'oracle-mom',
    'oracle-ml-tree',
    'oracle-ml-independent',
    'supervised-100',
    'supervised-500',
    'supervised-1000',
    'supervised-2000',
    'supervised'
  ]
} as const
