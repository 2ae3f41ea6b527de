import type { StepRecord } from '../model/profile.ts'

/** Share of the sent requests that must be sent on time before a server is blamed for a rate, or for a backlog. */
export const ON_TIME = 0.99

/** Share of the sent requests that were sent on time; null when none was sent. */
export function onTimeShare({ onTime, counts }: StepRecord): number | null {
  return counts.sent === 0 ? null : onTime / counts.sent
}

/** Whether too many requests were sent late for a server to be blamed. */
export function isLate(record: StepRecord): boolean {
  return (onTimeShare(record) ?? 1) < ON_TIME
}
