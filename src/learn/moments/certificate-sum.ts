import type {SolveStatus} from '../polytopes/index.ts'
import type {TableCertificate} from './table-solver.ts'

/** Adds certificates of tables up: a sum is optimal only when every part is. */
export class CertificateSum {
  #objective = 0
  #gap = 0
  #steps = 0
  #status: SolveStatus = 'optimal'

  add({objective, gap, steps, status}: TableCertificate): void {
    this.#objective += objective
    this.#gap += gap
    this.#steps += steps
    if (status !== 'optimal') this.#status = status
  }

  result(): TableCertificate {
    return {objective: this.#objective, gap: this.#gap, steps: this.#steps, status: this.#status}
  }
}
