import {loadLinearSolver} from '../../base/linear/index.ts'
import {describeMomentSolver} from './recover-moments.contract.ts'
import {momentDefaults} from './recover-moments.ts'
import {solveByConditionalGradient} from './solve-by-conditional-gradient.ts'

describeMomentSolver({
  name: 'solveByConditionalGradient',
  load: async () => {
    const linear = await loadLinearSolver()
    return (problem, polytope, rule) => solveByConditionalGradient(problem, {...momentDefaults, polytope}, rule, linear)
  },
  gap: 1e-4,
  goldenGap: 1e-4
})
