import { defineConfig } from 'vitest/config'
import { sloProject } from './src/config.ts'

// The repository runs from its sources, the tarball from dist.
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
          // A process a file would be a sixth of the time; what a file leaves behind is a defect of that file.
          isolate: false,
          // What hangs must end; what waits for a process must not fail because a machine is busy.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          typecheck: { enabled: true, include: ['test/types/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
        },
      },
      {
        ssr,
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      { ...sloProject({ include: ['fixtures/specs/**/*.slo.ts'] }), ssr },
    ],
  },
})
