export { slo, sloProject } from './vitest/plugin.ts'
export type { ProjectOptions } from './spec/options.ts'
