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
- BIC, penalty 1: penalty 1/2 and the paper's 1, on recovered tables. Effective N: BIC with N over the variance that anchors add to a pair.
- rates, variance: a parameter costs what the variance of recovered tables calls for, judged from the anchors' rates alone or from each table
  (\`structure-recovery-scores.ts\`).
- simplex: each table is recovered alone. local: tables of up to three concepts agree with each other; those of four, which networks with three
  parents need (andes-13, win95pts), are still recovered alone.
- degree: tests of independence that know the anchor noise, on simplex tables, told the true degree; left out above 4.

What they show:

- **BIC on recovered tables does not become right with N.** Its false edges stay at a million documents; penalty 1 and effective N help, and do
  not cure it.
- Two changes are needed together: a penalty that knows the variance, and tables that agree with each other. The likely reason for the second: where a cell is
  empty or nearly so, tables recovered alone differ in the first order, which N times their information turns into the square root of N, far above ln(N).
- **local, variance** finds cancer and earthquake always, and asia in 65% and 85%, at a million documents where anchors fire in 0.7 and 0.9 of those that
  have the concept; where they fire in 0.4, earthquake always, asia in 80%, cancer hardly ever. It does **not** find networks with three parents, which need
  tables of four (win95pts, andes-13), nor andes-8: there its share of right graphs does not grow with N, though its graphs are mostly the nearest that a
  score gives.
- rates asks less of the tables: it is the better one for weak edges and weak anchors (cancer at 0.4), but keeps some false edges at any N where edges are
  strong (cancer at 0.9, earthquake), and does not find asia.
- degree needs more documents than the score at first, and is right on win95pts-9, where no score is. On andes neither is.

The rules rates and variance were made while looking at cancer, earthquake and asia, at the first five of these samples each. The marginal polytope
in place of the local one was tried there too, and left out: much the same, and slower. The other networks were measured afterwards. With 20 samples a share of 50% has a
standard error of 11%.`
