import { createClient } from '../../src/client/client.ts'
import type { Client, ClientOptions } from '../../src/client/client.ts'

/** The client of a small program that runs in a process of its own. */
export function clientProgram(url: string, onEnd: ClientOptions['onEnd']): Client {
  return createClient({
    target: {
      api: 'openai-chat',
      method: 'POST',
      url,
      model: null,
      headers: {},
      body: {},
      stream: true,
      ignoreEos: false,
      status: null,
      embedded: false,
    },
    prompts: { kind: 'synthetic', inputTokens: 8, outputTokens: 8 },
    seed: 1,
    timeouts: { connectMs: 5000, firstByteMs: 5000, idleMs: 5000, totalMs: 5000 },
    now: () => performance.now(),
    onEnd,
  })
}
