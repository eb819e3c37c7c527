import {rng} from '../numeric/index.ts'
import {enumerateCubic} from './enumerate-cubic.ts'
import {enumerateMinimum} from './enumerate-minimum.ts'
import {minimizeQuadratic} from './minimize-quadratic.ts'
import {minimumContract} from './minimum.contract.ts'
import {searchCubic} from './search-cubic.ts'
import {searchMinima} from './search-minima.ts'

const options = () => ({starts: 60, rng: rng(3), keep: 1})
const noTriples = (size: number) => new Float64Array(Math.max(0, (size * (size - 1) * (size - 2)) / 6))

minimumContract('enumerateMinimum', enumerateMinimum)
minimumContract('minimizeQuadratic', q => {
  const {y, value} = minimizeQuadratic(q)
  return {y, value}
})
minimumContract('searchMinima', q => {
  const {rows, values} = searchMinima(q, options())
  return {y: rows, value: values[0]}
})
minimumContract('enumerateCubic', q => enumerateCubic({...q, cubic: noTriples(q.size)}))
minimumContract('searchCubic', q => {
  const {rows, values} = searchCubic({...q, cubic: noTriples(q.size)}, options())
  return {y: rows, value: values[0]}
})
