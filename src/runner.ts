export { SloRunner as default } from './vitest/runner.ts'
