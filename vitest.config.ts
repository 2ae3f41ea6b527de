import { defineConfig } from 'vitest/config'

const ssr = { resolve: { conditions: ['vitest-slo:source', 'node', 'import', 'module', 'default'] } }

export default defineConfig({
  test: {
    projects: [
      {
        ssr,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', '**/node_modules/**'],
          typecheck: { enabled: true, include: ['test/types/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
        },
      },
    ],
  },
})
