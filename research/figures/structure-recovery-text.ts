export const introduction = `# Is the right graph found?

Networks whose graph is known: cancer, earthquake, asia, and parts of andes and win95pts that are closed under parents, named by
their number of concepts (listed in \`structure-recovery-networks.ts\`). A graph is right when it is Markov-equivalent to the true one; no
data can distinguish more. Otherwise its distance is the number of pairs of concepts that the two completed graphs join differently.`

export const explanation = `Here N enters only through the penalty. The best graph of dynamic programming is equivalent to that of the integer program and, with five
concepts, has the same score as the best of all graphs. It is the true one once N is large enough; -1 +0 means that the best graph
lacks one true edge. An edge pays for its parameters once N times its information exceeds ln(N) / 2 for each: asia's edge from the visit
to tuberculosis has 0.0004 nats, less than ln(10,000) / 20,000 = 0.00046. With -0 +0 an arrow is reversed. The deterministic tables
of asia and andes do no harm with exact numbers.`

export const reading = `The columns:

- hidden: BIC on as many documents in which the concepts themselves are observed; the best one can expect.
- BIC, penalty 1: penalty 1/2 and the paper's 1, on recovered tables.
- noise-aware, variance-aware: the cost of a parameter reflects the variance of recovered tables, estimated from the anchors' rates alone or from each
  table (\`src/learn/structure/parameter-counts.ts\`).
- simplex: each table is recovered alone. local: tables agree with each other; those of four, which networks with three parents need (andes-13,
  win95pts), are fitted to those of three.
- degree: independence tests that account for the anchor noise, on simplex tables, given the true degree; left out above 4.

Findings:

- **BIC on recovered tables does not become right as N grows.** Its false edges remain at a million documents; penalty 1 helps but does not fix it.
- Two changes are needed together: a penalty that accounts for the variance, and tables that agree with each other. The likely reason for the second: where a cell is
  empty or nearly so, tables recovered separately differ in the first order, which contributes the square root of N to N times their information, far above ln(N).
- **local, variance-aware** finds cancer and earthquake always, and asia in 65% and 85%, at a million documents where anchors fire in 0.7 and 0.9 of the documents that
  have the concept; where they fire in 0.4, earthquake always, asia in 80%, cancer hardly ever. On win95pts, where a concept has three parents, it is right in
  20% to 90% of the samples at a million documents, and there its share does not always grow with N. On andes, whose tables hold many
  certainties, it is not right: its graphs are mostly the nearest of all scores, with one to three false edges.
- noise-aware depends less on the tables: it is better for weak edges and weak anchors (cancer at 0.4), but keeps some false edges at any N where
  edges are strong (cancer at 0.9, asia).
- degree needs more documents than the scores. At a million it is always right on win95pts-9, better than the scores, and on earthquake where anchors fire in 0.7 or more; on asia in
  0% to 70%, on andes never, with one false edge.

The two penalties were designed on the first five of these samples of cancer, earthquake and asia, and tables of four are fitted because that
helped on the first six of win95pts-9 and andes-13. The marginal polytope instead of the local one was also tried on the first three networks and left out: similar
and slower. With 20 samples a share of 50% has a standard error of 11%.`
