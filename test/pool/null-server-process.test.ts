import { expect, test } from 'vitest'
import { LoadError } from '../../src/model/errors.ts'
import { forkNullServer } from '../../src/pool/null-server-process.ts'

const ask = (url: string) => fetch(url, { method: 'POST', body: '{"stream":true}' }).then((reply) => reply.text())

test.each([
  ['at once', null],
  ['token by token', 1],
])('answers every request with the tokens asked for, %s', async (_, gapMs) => {
  const server = await forkNullServer({ api: 'openai-chat', tokens: 3, gapMs })
  try {
    expect(new URL(server.url).pathname).toBe('/v1/chat/completions')
    for (const text of await Promise.all([ask(server.url), ask(server.url)])) {
      expect(text.match(/"content":" word"/g)).toHaveLength(3)
      expect(text).toMatch(/"completion_tokens":3[^]*data: \[DONE\]\n\n$/)
    }
  } finally {
    await server.close()
  }
  expect(await server.ended).toBe('code 0')
  await expect(ask(server.url)).rejects.toThrow('fetch failed')
})

test('one that cannot start is told with its reason', async () => {
  const starting = forkNullServer({ api: 'smoke signals', tokens: 1, gapMs: null })
  await expect(starting).rejects.toThrow(LoadError)
  await expect(starting).rejects.toThrow(
    /^the null server ended before it listened: code 1, its stderr:\n[^]*unknown api 'smoke signals'/,
  )
})
