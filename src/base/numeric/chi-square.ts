import {AdfaError} from '../checks/index.ts'
import {log} from './elementary.ts'
import {gammaTail} from './gamma.ts'

/**
 * P(X >= statistic) of a chi-square variable X, which is twice a gamma variable of shape degrees / 2. With 0 degrees of
 * freedom X is 0.
 */
export function chiSquareTail(statistic: number, degreesOfFreedom: number): number {
  if (!(Number.isInteger(degreesOfFreedom) && degreesOfFreedom >= 0) || Number.isNaN(statistic))
    throw new AdfaError(
      'bad-option',
      `chi-square of ${statistic} with ${degreesOfFreedom} degrees of freedom; give numbers, the second whole and from 0 on`
    )
  if (statistic <= 0) return 1
  if (degreesOfFreedom === 0) return 0
  return gammaTail(degreesOfFreedom / 2, statistic / 2, logGammaOfHalf(degreesOfFreedom))
}

/** log Gamma(n / 2), by its recurrence from Gamma(1) = 1 or Gamma(1/2) = sqrt(pi). */
function logGammaOfHalf(n: number): number {
  let sum = n % 2 === 0 ? 0 : 0.5 * log(Math.PI)
  for (let at = n - 2; at > 0; at -= 2) sum += log(at / 2)
  return sum
}
