/** Methods that the presets do not need. Only `loadMethods` imports this, so that bundlers keep them apart. */
export {minimizeMarginal} from './minimize-marginal.ts'
export {solveByConditionalGradient} from './solve-by-conditional-gradient.ts'
export {TripleCurvature} from './triple-curvature.ts'
