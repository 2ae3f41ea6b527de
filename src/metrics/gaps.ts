import type { Trace } from '../model/request.ts'
import { contentEvents, tokensBy } from './latencies.ts'

/** Delay of a read from which on it may have merged what came apart, ms (chosen: a tenth of a quick inter-token gap). */
const MERGES_MS = 1

/** Takes the gaps between a reply's reads, ms, and by how much each may err to either side through late reads. */
export interface GapSink {
  /** A gap that brought one token: a sample of ITL and of ICL. */
  token(ms: number, delay: number): void
  /** A gap that brought another number of tokens, as ICL counts it: one sample. */
  chunk(ms: number, delay: number): void
  /**
   * A gap that brought `count` tokens, as ITL counts it: so many samples of ms / count. `merged` is whether the tokens
   * may have come apart, because the client was late.
   */
  tokens(ms: number, count: number, delay: number, merged: boolean): void
}

/**
 * Gives the gaps between a reply's reads, without making objects (this runs for every read of every reply).
 *
 * ICL (inter-chunk latency) has a sample g for every read but the first, g = ms since the read before. ITL (inter-token
 * latency) has k samples g / k for every read but the first that brought k tokens; a read that brought no whole token
 * passes its gap on to the next. The delay of a gap is that of both its reads, added.
 *
 * Neither applies to a reply of one read, nor to one that does not stream.
 */
export function eachGap(trace: Trace, sink: GapSink): void {
  const { reads, readAt, readEvents, readDelay, outputTokens } = trace
  if (!trace.streamed || reads < 2) return
  const all = contentEvents(trace)
  let events = readEvents[0]!
  let tokens = tokensBy(events, all, outputTokens)
  /** The last read that brought a whole token: from it the next one's gap is. */
  let since = 0
  for (let i = 1; i < reads; i++) {
    const at = readAt[i]!
    const delay = readDelay[i]!
    events += readEvents[i]!
    const by = tokensBy(events, all, outputTokens)
    const count = by - tokens
    if (count === 1 && since === i - 1) {
      sink.token(at - readAt[since]!, delay + readDelay[since]!)
    } else {
      sink.chunk(at - readAt[i - 1]!, delay + readDelay[i - 1]!)
      if (count === 0) continue
      sink.tokens(at - readAt[since]!, count, delay + readDelay[since]!, delay > MERGES_MS)
    }
    tokens = by
    since = i
  }
}
