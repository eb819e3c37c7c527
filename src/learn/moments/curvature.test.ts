import {describeCurvature} from './curvature.contract.ts'
import {PairCurvature} from './curvature.ts'

describeCurvature({name: 'PairCurvature', order: 2, make: problem => new PairCurvature(problem)})
