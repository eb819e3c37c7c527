import {defineConfig} from 'vitest/config'

/** Tests that replace modules, and so need modules of their own. */
const isolated = ['demo', 'run'].map(name => `src/app/cli/commands/${name}.test.ts`)

/** Tests of pages and servers, which do not depend on the version of Node. */
const pages = ['**/*browser*', '**/studio-*', '**/*-pages', '**/clickhouse*', '**/package'].map(
  name => `${name}.test.ts`
)
const excluded = process.env.ADFA_TESTS === 'portable' ? [...isolated, ...pages] : isolated

export default defineConfig({
  oxc: {jsx: {runtime: 'automatic', importSource: 'preact'}},
  test: {
    setupFiles: ['test/property-seed.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // A browser or a server may be late once on a busy machine; a fault fails twice. What was tried again is printed.
    retry: process.env.CI ? 1 : 0,
    maxWorkers: '100%',
    projects: [
      // Test files share modules, which halves the time: nothing in the sources keeps state between calls.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{src,lint,test,research,examples}/**/*.test.{ts,tsx}'],
          exclude: excluded,
          isolate: false
        }
      },
      {extends: true, test: {name: 'isolated', include: isolated}}
    ]
  }
})
