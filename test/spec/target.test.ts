import { expect, test } from 'vitest'
import { LoadError } from '../../src/model/errors.ts'
import { publicTarget, resolveTarget } from '../../src/spec/target.ts'
import { checked, problemsOf } from './sample.ts'
import { simulator } from '../../src/spec/simulator.ts'

const signal = new AbortController().signal

function resolve(target: unknown, options: { signal?: AbortSignal; timeoutMs?: number } = {}) {
  return resolveTarget(checked({ target }).target, { signal, ...options })
}

/** Problems of a promised failure. */
async function problemsLater(promise: Promise<unknown>): Promise<string[]> {
  const outcome = await promise.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
  return problemsOf(outcome)
}

test('an address is its own target', async () => {
  expect(await resolve({ url: 'http://host/v1', apiKey: 'sk-1' })).toEqual({
    target: expect.objectContaining({
      url: 'http://host/v1/chat/completions',
      headers: { authorization: 'Bearer sk-1' },
      embedded: false,
    }),
    server: null,
  })
})

test.each([
  ['sync', () => ({ url: 'http://later:1/v1' })],
  ['async', async () => ({ url: 'http://later:1/v1' })],
])('a function gives it, %s', async (_, call) => {
  const { target } = await resolve(call)
  expect(target.url).toBe('http://later:1/v1/chat/completions')
})

test('what a function gives is checked with the same care', async () => {
  const given = { url: undefined, apiKey: 'sk-secret\n', modle: 'm' }
  expect(await problemsLater(resolve(() => given))).toEqual([
    "target().url: is undefined: is the environment variable set? accepted: the API's base, such as 'http://host:8000/v1', or its full endpoint",
    'target().apiKey: is ***, which ends in a line break; accepted: a key in one line; leave it out (undefined) for a server without one',
    "target().modle: is not an option; did you mean 'model'? accepted: api, url, model, apiKey, headers, body, stream, ignoreEos, method, status",
  ])
  expect(await problemsLater(resolve(() => undefined))).toEqual([
    "target(): is missing; accepted: { url: 'http://host:8000/v1', ... } or simulator({...})",
  ])
  // a function that gives a function
  expect(await problemsLater(resolve(() => () => given))).toEqual([
    "target(): is a function, not a target; accepted: { url: 'http://host:8000/v1', ... } or simulator({...})",
  ])
})

test('a function that throws is named, its error the cause', async () => {
  const cause = new Error('no server')
  const failing = resolve(() => Promise.reject(cause))
  await expect(failing).rejects.toThrow(new LoadError('target() failed'))
  await expect(failing).rejects.toHaveProperty('cause', cause)
})

test('a function that never ends is bounded', async () => {
  const waiting = resolve(() => new Promise(() => {}), { timeoutMs: 1 })
  await expect(waiting).rejects.toThrow(
    new LoadError('target() gave no target within 1 ms; start slow servers in a beforeAll hook'),
  )
})

test('a function that never ends can be aborted', async () => {
  const controller = new AbortController()
  const waiting = resolve(() => new Promise(() => {}), { signal: controller.signal })
  const reason = new LoadError('cancelled')
  controller.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})

test('nothing is called for a signal that is aborted already', async () => {
  let calls = 0
  const reason = new LoadError('cancelled')
  const call = () => {
    calls++
    return { url: 'http://host/v1' }
  }
  await expect(resolve(call, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(calls).toBe(0)
})

test('the embedded server is started, and is the target', async () => {
  const { target, server } = await resolve(() => simulator({ ttft: '1ms' }))
  try {
    expect(target).toMatchObject({ api: 'openai-chat', embedded: true, stream: true, headers: {} })
    expect(target.url).toBe(`${server!.url}/chat/completions`)
    const reply = await fetch(target.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], max_tokens: 2, stream: true }),
    })
    expect(await reply.text()).toContain('[DONE]')
  } finally {
    await server?.close()
  }
})

test('the public target has no header value, user info or query', async () => {
  const { target } = await resolve({
    url: 'https://me:s3cret@host:8443/v1?key=s3cret#s3cret',
    model: 'm',
    headers: { 'X-Key': 's3cret' },
  })
  const shown = publicTarget(target)
  expect(shown).toEqual({
    api: 'openai-chat',
    url: 'https://host:8443/v1/chat/completions',
    model: 'm',
    headers: ['authorization', 'x-key'],
    stream: true,
    embedded: false,
  })
  expect(JSON.stringify(shown)).not.toContain('s3cret')
})
