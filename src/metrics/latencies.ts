import type { Trace } from '../model/request.ts'

/**
 * Latencies of one successful reply, ms, out of its four instants. NaN means that the metric does not apply to the
 * reply (as the instants of a `Trace` are NaN where there was none): it is counted as such, never as 0.
 *
 * A reply that does not stream has E2E and NTPOT only: its other instants are those of one read of the whole.
 * Where a latency starts at the scheduled instant, `from` takes `trace.sent` instead: without the send lag.
 *
 * The `least...` are lower bounds on what the server did: from the sent instant, less the longest time for which the
 * read's bytes may have lain unread in this process; never below 0. They err on the server's side.
 */

/** Time to first token of any channel (text, reasoning, tool call): first token - scheduled. */
export function ttftMs(trace: Trace, from: number = trace.scheduled): number {
  return trace.streamed ? trace.firstToken - from : Number.NaN
}

/** Time to first visible text: first output - scheduled; does not apply to a reply without any. */
export function ttfoMs(trace: Trace, from: number = trace.scheduled): number {
  return trace.streamed ? trace.firstVisible - from : Number.NaN
}

/** End-to-end time: last token - scheduled, not the end mark or the connection's close. Without streaming, the final read. */
export function e2eMs(trace: Trace, from: number = trace.scheduled): number {
  return trace.lastToken - from
}

/**
 * Normalized time per output token: E2E / N.
 *
 * From the scheduled instant, so waiting in line counts: the sum of queue, prefill and decode that the paper divides
 * cannot be seen in its parts from outside, its total can.
 *
 * @see "Identifying and Mitigating Systemic Measurement Bias in Production LLM Inference Benchmarks", NTPOT
 */
export function ntpotMs(trace: Trace, from: number = trace.scheduled): number {
  return trace.outputTokens > 0 ? e2eMs(trace, from) / trace.outputTokens : Number.NaN
}

/**
 * Time per output token while decoding: (last token - first token) / (N - k), k = tokens of the first read.
 * Does not apply where the first read brought everything: nothing is left to divide by.
 */
export function tpotMs(trace: Trace): number {
  const left = trace.outputTokens - tokensOfFirstRead(trace)
  return trace.streamed && left > 0 ? (trace.lastToken - trace.firstToken) / left : Number.NaN
}

/** TTFT less the client's own part: the send lag, and the delay of the read that brought the first token. */
export function leastTtftMs(trace: Trace): number {
  return Math.max(0, ttftMs(trace, sentOf(trace)) - delayOf(trace, 0))
}

/** TTFO less the client's own part. */
export function leastTtfoMs(trace: Trace): number {
  return Math.max(0, ttfoMs(trace, sentOf(trace)) - trace.firstVisibleDelay)
}

/** E2E less the client's own part: the send lag, and the delay of the last read with content. */
export function leastE2eMs(trace: Trace): number {
  return Math.max(0, e2eMs(trace, sentOf(trace)) - delayOf(trace, trace.reads - 1))
}

/**
 * By how much TPOT may err, to either side, through late reads: (delay of the first read + delay of the last) / (N - k).
 * NaN where TPOT does not apply.
 */
export function tpotDelayMs(trace: Trace): number {
  const left = trace.outputTokens - tokensOfFirstRead(trace)
  return left > 0 ? (delayOf(trace, 0) + delayOf(trace, trace.reads - 1)) / left : Number.NaN
}

/** The sent instant, never before the scheduled one: two clock readings may differ by their grain. */
function sentOf({ scheduled, sent }: Trace): number {
  return Math.max(scheduled, sent)
}

/** Delay of a read; 0 of one that there was not. */
function delayOf(trace: Trace, read: number): number {
  return read < 0 || read >= trace.reads ? 0 : trace.readDelay[read]!
}

/** What the client itself was late: sent - scheduled, never below 0. */
export function sendLagMs(trace: Trace): number {
  return sentOf(trace) - trace.scheduled
}

/** Content events of all reads. */
export function contentEvents(trace: Trace): number {
  let events = 0
  for (let i = 0; i < trace.reads; i++) events += trace.readEvents[i]!
  return events
}

/**
 * Whole tokens that had come with the first `events` of a reply's `all` content events: N x events / all, rounded.
 * A read's tokens are the difference of two such figures, so they are whole and add up to N. At least 1, since the
 * first read brings the first token, even where events outnumber tokens.
 */
export function tokensBy(events: number, all: number, outputTokens: number): number {
  return Math.max(1, Math.round((outputTokens * events) / all))
}

/** k of the first read; 0 where no read brought content. */
export function tokensOfFirstRead(trace: Trace): number {
  return trace.reads === 0 ? 0 : tokensBy(trace.readEvents[0]!, contentEvents(trace), trace.outputTokens)
}
