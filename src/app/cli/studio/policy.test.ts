import {expect, test} from 'vitest'
import {servedSources, studioPolicy} from './policy.ts'

test('studioPolicy(servedSources) lets the page load its own files and start its own workers, and nothing else', () => {
  expect(studioPolicy(servedSources)).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self'; style-src 'self'; img-src blob: data:; " +
      "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types adfa"
  )
})
