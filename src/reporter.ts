export { SloReporter as default } from './vitest/reporter.ts'
