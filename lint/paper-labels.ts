/**
 * What docs/PAPER.md must cover: every displayed equation, algorithm line, figure and table of "Anchored Discrete
 * Factor Analysis" (Halpern, Horng, Sontag 2015), its definition and theorem, its settings for noise rates and the sections
 * of its supplement. Names are the labels of the paper's source; those with a star in the comment are ours.
 */
export const paperLabels: readonly string[] = [
  // Section 2, the task
  'def:anchor',
  'eq:noisy-or', // * P(x_j = 0 | y), in the text of section 4.2
  // Section 3, moments
  'eq:anchor_moments',
  'eq:anchor_opt',
  'eq:local_consistency',
  'eq:anchor_opt_matrix',
  'sec:noise_rates 1', // two anchors
  'sec:noise_rates 2', // positive-only anchors
  'sec:noise_rates 3', // mutually irreducible distributions
  'sec:noise_rates 4', // some labels
  // Section 4, learning
  'eq:bic', // *
  'thm:struct_consistency',
  'eq:markov',
  'eq:fdirect',
  'eq:ftree',
  'eq:main_cdef',
  'eq:leak', // *
  'eq:quickscore',
  // Supplement
  'append:full_rank',
  'append:two-anchors', // *
  'eq:triplet', // * P(W1, W2, X_j) as a sum of two rank-one tensors
  'append:blanket', // *
  'eq:blanket-ratio', // *
  'eq:blanket-numerator', // *
  'eq:blanket-denominator', // *
  'append:tree-corrections', // *
  'eq:single_cond',
  'eq:correction', // * c_ijk as a ratio over the subtree
  'eq:correction-product', // * f_ij as the ratio over the product of the c
  'eq:cdef',
  'eq:double_condition',
  'eq:correction-numerator', // * both displays
  'eq:correction-denominator', // *
  'eq:correction-ratio', // *
  'append:datasets', // *
  'append:regularization', // *
  'eq:anchor_opt_matrix-reg',
  'append:conditional-gradient', // * with its fully corrective variant
  'append:em', // *
  'eq:em-bound', // *
  'append:outer-e-step', // * Gibbs sampling
  'append:outer-m-step', // *
  'eq:auxiliary', // * P(A_j = k | Y), inside alg:generative_alt
  'eq:inner-e-step', // *
  'eq:inner-m-step', // *
  'append:learned-trees', // *
  'append:learned-graphs', // *
  // Algorithms, line by line
  'alg:overall 1',
  'alg:overall 2',
  'alg:overall 3',
  'alg:overall 4',
  'alg:FW 1',
  'alg:FW 2',
  'alg:FW 3',
  'alg:FW 4',
  'alg:FW 5',
  'alg:FW 6',
  'alg:generative_alt',
  // Figures
  'fig:algorithm',
  'fig:indirect',
  'fig:tree',
  'fig:heldout-factors',
  'fig:lasttag',
  'fig:degrading_em',
  'fig:tree-emergency',
  'fig:tree-stackoverflow',
  'fig:graph-emergency',
  'fig:graph-stackoverflow',
  // Tables
  'table:complexity',
  'table:factors',
  'tab:medical_concepts',
  'tab:programming_concepts'
]
