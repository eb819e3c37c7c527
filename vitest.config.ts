import {defineConfig} from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,lint,test,research}/**/*.test.ts'],
    setupFiles: ['test/property-seed.ts'],
    testTimeout: 60_000
  }
})
