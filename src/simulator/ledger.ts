/** What the server did for one request. Instants are ms on the host's monotonic clock. */
export interface LedgerRequest {
  /** The request's `x-request-id` header, null without. */
  readonly id: string | null
  /** Read from the socket. Requests that one turn of the event loop found waiting share the turn's first instant. */
  readonly arrived: number
  /** How long it may have lain unread before that, ms: 0 unless the server had stood still. An upper limit. */
  readonly waited: number
  /** Got its slot; null when the client went away while it waited. */
  readonly started: number | null
  /**
   * By how much the server's standstills may have put off `started`, and so all that was planned, ms: `waited` where a
   * slot was free, less where it would have stood in line, more where those who had its slot before were put off.
   */
  readonly delayed: number
  readonly promptTokens: number
  readonly outputTokens: number
  /** When each write was due and when it was handed to the socket (just before), in order. */
  readonly planned: number[]
  readonly actual: number[]
  /** Writes that left the socket's buffer over its high-water mark: the client, or the kernel, was slow to take them. */
  readonly blocked: number
  /** `disconnected` when the client went away before the last write. */
  readonly ended: 'complete' | 'disconnected'
}

/** How punctual the writes of a time were. */
export interface Punctuality {
  readonly writes: number
  /**
   * More than 5 ms and more than 10 % of the planned delay (from the slot) behind plan: that of the ledger, or the
   * earliest that there can have been, which begins `delayed` ms before. Of the latter the planned delay counts from
   * the request's earliest arrival, so the longer the line, the less it matters.
   *
   * What was not noticed is not in it: a standstill of up to 25 ms in which nothing was due.
   */
  readonly late: number
  /** Largest delay behind the earliest plan, ms. */
  readonly worstMs: number
}

/** The ledger as others read it. */
export interface Ledger {
  /** The newest ended requests, in the order in which they ended. */
  readonly requests: readonly LedgerRequest[]
  /** Ended requests that are no longer kept. */
  readonly forgotten: number
  /** Of all writes since the start. */
  readonly total: Punctuality
}

/** The server's own record of what it sent and when. Memory is bounded, the counts are complete. */
export interface LedgerBook {
  /**
   * Counts a write.
   *
   * @param delayed by how much the server's standstills may have put off its plan, ms
   * @param inLine how long the request would have stood in line without them, ms
   */
  wrote(started: number, planned: number, actual: number, delayed?: number, inLine?: number): void
  /** Keeps an ended request, and forgets the oldest beyond the capacity. */
  ended(request: LedgerRequest): void
  /**
   * Punctuality of the writes in [fromMs, toMs], widened to whole bins of 100 ms. The last 24 hours are kept; what is
   * older counts as no writes.
   */
  writesBetween(fromMs: number, toMs: number): Punctuality
  snapshot(): Ledger
}

/** A write is late when it is behind plan by more than this, ms, ... */
const LATE_MS = 5
/** ... and by more than this share of its planned delay. Both are the contract's (design, four verdicts). */
const LATE_SHARE = 0.1

const BIN_MS = 100
const BINS = 24 * 36_000

/** Instants kept over all requests, chosen: 2 x 8 bytes each, so 64 MB at most. */
const MAX_WRITES = 4_000_000

export function createLedger(capacity: number): LedgerBook {
  const kept: LedgerRequest[] = []
  /** Numbers of the oldest request kept and of the next one; request n is at n modulo the capacity. */
  let oldest = 0
  let next = 0
  let keptWrites = 0

  // A ring: bin b (of time b x 100 ms) is at b modulo BINS, if `bins` says so. Pages never touched cost nothing.
  const bins = new Float64Array(BINS)
  const writes = new Uint32Array(BINS)
  const lates = new Uint32Array(BINS)
  const worsts = new Float64Array(BINS)
  let newestBin = 0
  const total = { writes: 0, late: 0, worstMs: 0 }

  return {
    wrote(started, planned, actual, delayed = 0, inLine = 0) {
      const behind = actual - planned + delayed
      const delay = planned - started
      const late = isLate(actual - planned, delay) || isLate(behind, inLine + delay) ? 1 : 0
      const bin = Math.floor(actual / BIN_MS)
      const place = bin % BINS
      if (bins[place] !== bin) {
        bins[place] = newestBin = bin
        writes[place] = lates[place] = worsts[place] = 0
      }
      writes[place]!++
      lates[place]! += late
      if (behind > worsts[place]!) worsts[place] = behind
      total.writes++
      total.late += late
      if (behind > total.worstMs) total.worstMs = behind
    },
    ended(request) {
      if (capacity === 0) {
        oldest = ++next
        return
      }
      while (next > oldest && (next - oldest >= capacity || keptWrites + request.actual.length > MAX_WRITES)) {
        keptWrites -= kept[oldest++ % capacity]!.actual.length
      }
      kept[next++ % capacity] = request
      keptWrites += request.actual.length
    },
    writesBetween(fromMs, toMs) {
      const sum = { writes: 0, late: 0, worstMs: 0 }
      const last = Math.min(Math.floor(toMs / BIN_MS), newestBin)
      for (let bin = Math.max(Math.floor(fromMs / BIN_MS), last - BINS + 1, 0); bin <= last; bin++) {
        const place = bin % BINS
        if (bins[place] !== bin) continue
        sum.writes += writes[place]!
        sum.late += lates[place]!
        sum.worstMs = Math.max(sum.worstMs, worsts[place]!)
      }
      return sum
    },
    snapshot() {
      const requests = Array.from({ length: next - oldest }, (_, i) => kept[(oldest + i) % capacity]!)
      return { requests, forgotten: oldest, total: { ...total } }
    },
  }
}

function isLate(behindMs: number, plannedMs: number): boolean {
  return behindMs > LATE_MS && behindMs > LATE_SHARE * plannedMs
}
