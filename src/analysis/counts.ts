import type { Counts } from '../model/profile.ts'

/** Requests without a successful reply: failed, timed out, aborted or unsent. */
export function failuresOf({ failed, timedOut, aborted, unsent }: Counts): number {
  return failed + timedOut + aborted + unsent
}
