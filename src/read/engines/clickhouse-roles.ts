import {type Anchors, createFeatureReader, type FeatureReader, type TextOptions} from '../data/index.ts'
import type {Codes} from './clickhouse-literals.ts'
import {badToken, decodeToken} from './clickhouse-tokens.ts'
import {FeatureRoles} from './feature-roles.ts'

/** What reading rows as features depends on. */
export interface Reading {
  readonly anchors: Anchors
  readonly phrases: readonly string[]
  readonly text: TextOptions
}

/**
 * The ready-made features that fire or veto anchors, with the numbers that the server groups documents by, from 1 on. Those that
 * are known by name are in it from the start; what regular expressions find is added as it is seen.
 */
export class RoleTable {
  readonly reader: FeatureReader
  readonly #roles: FeatureRoles
  readonly #names: string[] = []
  readonly #ids: number[] = []

  constructor({anchors, phrases, text}: Reading) {
    this.reader = createFeatureReader(anchors, phrases, text)
    this.#roles = new FeatureRoles(this.reader)
    if (!this.reader.hasPatterns) for (const name of this.reader.roleNames) this.#add(name)
  }

  get codes(): Codes {
    return {names: this.#names, ids: this.#ids}
  }

  /** See a word, once, for what regular expressions make of it; whether it has a role. One with a role must be text. */
  see(hex: string, where: string): {readonly isTaken: boolean} | undefined {
    const name = decodeToken(hex)
    if (name !== undefined) return this.#add(name)
    if (this.reader.featureRole(Buffer.from(hex, 'hex').toString('utf8')) === undefined) return undefined
    throw badToken(hex, 'word', where)
  }

  /** The anchor features that fire in documents with the roles of these numbers. */
  membersOf(ids: readonly number[]): number[] {
    return this.#roles.membersOf(ids.map(id => id - 1))
  }

  #add(name: string): {readonly isTaken: boolean} | undefined {
    const role = this.#roles.find(name)
    if (role === undefined) return undefined
    this.#names.push(name)
    this.#ids.push(role.number + 1)
    return role
  }
}
