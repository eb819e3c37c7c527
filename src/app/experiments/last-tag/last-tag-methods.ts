/** What is trained together, on one worker. */
export const families = ['models', 'classifiers', 'oracles'] as const
export type Family = (typeof families)[number]

interface Method {
  readonly id: string
  /** In pictures and tables. */
  readonly name: string
  /** Whose it is; oracles are shown all tags of the training documents. */
  readonly group: 'this project' | 'the paper' | 'baselines' | 'oracles'
  readonly family: Family
}

/** All that is compared, in the order of pictures and tables. */
export const methods = [
  {id: 'robust', name: 'robust', group: 'this project', family: 'models'},
  {id: 'robust-noisy-or', name: 'robust, noisy-or links', group: 'this project', family: 'models'},
  {id: 'paper-tree', name: 'ADFA, tree (paper)', group: 'the paper', family: 'models'},
  {id: 'paper-marginal', name: 'ADFA, tree, marginal polytope', group: 'the paper', family: 'models'},
  {id: 'paper-independent', name: 'ADFA, independent (paper)', group: 'the paper', family: 'models'},
  {id: 'noise-weighted', name: 'noise-tolerant', group: 'baselines', family: 'classifiers'},
  {id: 'noise-weighted-rule', name: 'noise-tolerant, anchor rule', group: 'baselines', family: 'classifiers'},
  {id: 'noise-unbiased', name: 'unbiased loss', group: 'baselines', family: 'classifiers'},
  {id: 'noise-unbiased-rule', name: 'unbiased loss, anchor rule', group: 'baselines', family: 'classifiers'},
  {id: 'positive-unlabelled', name: 'positive-unlabelled', group: 'baselines', family: 'classifiers'},
  {id: 'positive-unlabelled-rule', name: 'positive-unlabelled, anchor rule', group: 'baselines', family: 'classifiers'},
  {id: 'anchor-label', name: 'anchor as label', group: 'baselines', family: 'classifiers'},
  {id: 'anchor-label-rule', name: 'anchor as label, anchor rule', group: 'baselines', family: 'classifiers'},
  {id: 'imputation', name: 'imputation', group: 'baselines', family: 'classifiers'},
  {id: 'anchors-only', name: 'anchors alone', group: 'baselines', family: 'models'},
  {id: 'prior', name: 'prevalences alone', group: 'baselines', family: 'models'},
  {id: 'oracle-mom-tree', name: 'Oracle MoM, tree', group: 'oracles', family: 'oracles'},
  {id: 'oracle-mom-independent', name: 'Oracle MoM, independent', group: 'oracles', family: 'oracles'},
  {id: 'oracle-mom-floor', name: 'Oracle MoM, tree, leak floor', group: 'oracles', family: 'oracles'},
  {id: 'oracle-ml-tree', name: 'Oracle ML, tree', group: 'oracles', family: 'oracles'},
  {id: 'oracle-ml-independent', name: 'Oracle ML, independent', group: 'oracles', family: 'oracles'},
  {id: 'supervised', name: 'supervised classifiers', group: 'oracles', family: 'oracles'},
  {id: 'supervised-tree', name: 'supervised classifiers in a tree', group: 'oracles', family: 'oracles'}
] as const satisfies readonly Method[]

export type MethodId = (typeof methods)[number]['id']

export function methodName(id: MethodId): string {
  return methods.find(method => method.id === id)?.name ?? id
}
