import {defineConfig} from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'lint/**/*.test.ts', 'docs/**/*.test.ts'],
    setupFiles: ['lint/property-seed.ts'],
    testTimeout: 60_000
  }
})
