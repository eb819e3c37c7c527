/** All methods in the order of the tables, by what they were shown. */
export const methodGroups = {
  /** This project, no tag read. */
  ours: ['robust', 'robust-counts', 'robust-noisy-or', 'robust-noisy-or-refined', 'independent', 'anchors-forest'],
  /** What there was before, and what people reach for: no tag read either. */
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
  /** Shown all tags of the training documents. */
  oracles: [
    'oracle-anchors-network',
    'oracle-mom',
    'oracle-ml-tree',
    'oracle-ml-independent',
    'supervised',
    'supervised-tree'
  ]
} as const
