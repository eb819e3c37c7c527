export const introduction = `# Is the right graph found?

Networks whose graph is known: cancer, earthquake, asia, and parts of andes and win95pts that are closed under parents, the number being
that of their concepts (\`structure-recovery-networks.ts\` names them). A graph is right when it is Markov-equivalent to the true one: no
data can tell more. Otherwise its distance counts the pairs of concepts that the two completed graphs join differently.`

export const explanation = `N is only in the penalty here. The best graph of dynamic programming is equivalent to that of the integer program, and of the
same score as the best of all graphs where there are five concepts. It is the true one once N is large enough; -1 +0 says that the best graph
lacks one true edge. An edge is worth its parameters once N times its information exceeds ln(N) / 2 for each: asia's edge from the visit
to tuberculosis has 0.0004 nats, less than ln(10,000) / 20,000 = 0.00046. Where nothing lacks and nothing is too much, an arrow is turned. The deterministic tables
of asia and andes do no harm with exact numbers.`

export const reading = `The columns:

- hidden: BIC on as many documents in which the concepts themselves are seen; what could be hoped for.
- BIC, penalty 1: penalty 1/2 and the paper's 1, on recovered tables.
- noise-aware, variance-aware: a parameter costs what the variance of recovered tables calls for, judged from the anchors' rates alone or from each
  table (\`src/learn/structure/parameter-counts.ts\`).
- simplex: each table is recovered alone. local: tables agree with each other; those of four, which networks with three parents need (andes-13,
  win95pts), are fitted to those of three.
- degree: tests of independence that know the anchor noise, on simplex tables, told the true degree; left out above 4.

What they show:

- **BIC on recovered tables does not become right with N.** Its false edges stay at a million documents; penalty 1 helps, and does not cure it.
- Two changes are needed together: a penalty that knows the variance, and tables that agree with each other. The likely reason for the second: where a cell is
  empty or nearly so, tables recovered alone differ in the first order, which N times their information turns into the square root of N, far above ln(N).
- **local, variance-aware** finds cancer and earthquake always, and asia in 65% and 85%, at a million documents where anchors fire in 0.7 and 0.9 of those that
  have the concept; where they fire in 0.4, earthquake always, asia in 80%, cancer hardly ever. On win95pts, where a concept has three parents, it is right in
  20% to 90% of the samples at a million documents, and there its share does not always grow with N. On andes, whose tables hold many
  certainties, it is not right: its graphs are mostly the nearest that a score gives, with one to three false edges.
- noise-aware asks less of the tables: it is the better one for weak edges and weak anchors (cancer at 0.4), but keeps some false edges at any N where
  edges are strong (cancer at 0.9, asia).
- degree needs more documents than the scores at first. At a million it is always right on win95pts-9, better than the scores, and on earthquake where anchors fire in 0.7 or more; on asia in
  0% to 70%, on andes never, with one false edge.

The two penalties were made while looking at cancer, earthquake and asia, at the first five of these samples each, and tables of four are fitted since that
helped on win95pts-9 and andes-13 at the first six. The marginal polytope in place of the local one was tried on the first three networks, too, and left out: much the
same, and slower. With 20 samples a share of 50% has a standard error of 11%.`
