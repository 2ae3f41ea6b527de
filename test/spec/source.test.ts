import { describe, expect, test } from 'vitest'
import { simulator } from '../../src/spec/simulator.ts'
import { checked, problems } from './sample.ts'

const URL_ACCEPTED = "accepted: the API's base, such as 'http://host:8000/v1', or its full endpoint"
const TARGET = "{ url: 'http://host:8000/v1', ... } or simulator({...})"

function target(given: object) {
  const { target } = checked({ target: { url: 'http://host:8000/v1', ...given } })
  return target.kind === 'url' ? target.target : undefined
}

describe('an address', () => {
  test.each([
    // given beside the url, checked
    [{}, { api: 'openai-chat', method: 'POST', model: null, headers: {}, body: {}, stream: true, embedded: false }],
    [{}, { ignoreEos: false, status: null }],
    [{ ignoreEos: true }, { ignoreEos: true }],
    [{ api: 'openai-completions' }, { url: 'http://host:8000/v1/completions' }],
    [
      { model: 'llama', stream: false },
      { model: 'llama', stream: false },
    ],
    [{ apiKey: 'sk-1' }, { headers: { authorization: 'Bearer sk-1' } }],
    [
      { apiKey: undefined, model: undefined, headers: undefined },
      { headers: {}, model: null },
    ],
    // names of headers in lower case; an undefined one is not given
    [{ headers: { 'X-Tenant': 'a b', 'x-none': undefined } }, { headers: { 'x-tenant': 'a b' } }],
    // user info becomes a basic authorization, decoded: `user:p ss` in base64
    [
      { url: 'http://user:p%20ss@host/v1' },
      { url: 'http://host/v1/chat/completions', headers: { authorization: 'Basic dXNlcjpwIHNz' } },
    ],
    // a token alone is a user without a password: `token:`; `%ff` is one byte and no UTF-8
    [{ url: 'http://token@host/v1' }, { headers: { authorization: 'Basic dG9rZW46' } }],
    [{ url: 'http://%ff@host/v1' }, { headers: { authorization: 'Basic /zo=' } }],
    [{ body: { temperature: 0, none: undefined } }, { body: { temperature: 0 } }],
  ])('%j', (given, expected) => {
    expect(target(given)).toMatchObject(expected)
  })

  test.each([
    [{ url: undefined }, `target.url: is undefined: is the environment variable set? ${URL_ACCEPTED}`],
    [{ url: '' }, `target.url: is '', empty: is the environment variable set? ${URL_ACCEPTED}`],
    // reads as a URL whose scheme is `localhost`
    [{ url: 'localhost:8000/v1' }, `target.url: is 'localhost:8000/v1', not an http or https URL; ${URL_ACCEPTED}`],
    [{ url: 'ws://host/v1' }, `target.url: is 'ws://host/v1', not an http or https URL; ${URL_ACCEPTED}`],
    [{ url: 8000 }, `target.url: is 8000, not an http or https URL; ${URL_ACCEPTED}`],
    // no URL, for its port, and yet it holds a password
    [
      { url: 'http://me:s3cret@host:port/v1?key=s3cret' },
      `target.url: is 'http://***@host:port/v1?***', not an http or https URL; ${URL_ACCEPTED}`,
    ],
    [
      { url: 'http://host/v1/completions' },
      `target.url: is the endpoint of api 'openai-completions', and api is 'openai-chat'; accepted: an endpoint of that api, or the API's base, such as 'http://host:8000/v1', or its full endpoint`,
    ],
    [
      { api: 'openai-completion' },
      "target.api: is 'openai-completion', not one of them; did you mean 'openai-completions'? accepted: 'openai-chat', 'openai-completions', 'openai-responses', 'anthropic-messages', 'gemini', 'sglang-generate', 'tgi-generate', 'triton-generate', 'llamacpp-completion', 'ollama-generate', 'ollama-chat', 'http'",
    ],
    [{ model: '' }, "target.model: is '', empty; accepted: the name of a model"],
    [
      { apiKey: '' },
      "target.apiKey: is '', empty; accepted: a key in one line; leave it out (undefined) for a server without one",
    ],
    // read from a file, with its last line break
    [
      { apiKey: 'sk-1\n' },
      'target.apiKey: is ***, which ends in a line break; accepted: a key in one line; leave it out (undefined) for a server without one',
    ],
    [
      { apiKey: 12 },
      'target.apiKey: is ***, not text; accepted: a key in one line; leave it out (undefined) for a server without one',
    ],
    [{ headers: 'Bearer sk-1' }, 'target.headers: is ***, not an object; accepted: names and values of headers'],
    [
      { headers: { 'x-a': 'sk\r\nx-b: 1' } },
      'target.headers["x-a"]: is ***, which holds a line break; accepted: text in one line',
    ],
    [
      { headers: { 'x-a': 'sk☃' } },
      'target.headers["x-a"]: is ***, which holds a character that no header can; accepted: text in one line',
    ],
    [{ headers: { 'x-a': 77 } }, 'target.headers["x-a"]: is ***, a number, not text; accepted: text'],
    [{ headers: { 'x-a': null } }, 'target.headers["x-a"]: is null, not text; accepted: text'],
    [
      { headers: { 'authorization: Bearer sk-1': '' } },
      "target.headers: has a name that is none (it starts with 'authorization'); accepted: letters, digits and hyphens",
    ],
    [
      { headers: { 'Content-Length': '5' } },
      'target.headers["Content-Length"]: is set by the client; accepted: other headers',
    ],
    [
      { headers: { host: 'a', Host: 'b' } },
      'target.headers.Host: is given twice, in other letters; accepted: one of them',
    ],
    [
      { apiKey: 'sk-1', url: 'http://me@host/v1', headers: { Authorization: 'x' } },
      'target: is given an authorization by apiKey and by headers.authorization and by user info in url; accepted: one of them',
    ],
    [{ body: 'text' }, 'target.body: is text, not an object; accepted: an object of fields that JSON can carry'],
    [
      { body: { stream: true } },
      "target.body: has a field 'stream', which target.stream sets; accepted: an object of fields that JSON can carry",
    ],
    [
      { body: { stop: [() => 1] } },
      "target.body: has a field '0' that is a function; accepted: an object of fields that JSON can carry",
    ],
    [
      { body: { top_p: Number.NaN } },
      "target.body: has a field 'top_p' that is NaN; accepted: an object of fields that JSON can carry",
    ],
    // JSON would make {} of it
    [
      { body: { logit_bias: new Map() } },
      "target.body: has a field 'logit_bias' that is a Map; accepted: an object of fields that JSON can carry",
    ],
    [
      { body: new Date(0) },
      'target.body: is not an object once it is JSON; accepted: an object of fields that JSON can carry',
    ],
    [{ stream: 'no' }, "target.stream: is 'no', neither true nor false; accepted: true or false"],
    [
      { apikey: 'sk-1' },
      "target.apikey: is not an option; did you mean 'apiKey'? accepted: api, url, model, apiKey, headers, body, stream, ignoreEos, method, status",
    ],
  ])('%j', (given, message) => {
    expect(problems({ target: { url: 'http://host:8000/v1', ...given } })).toEqual([message])
  })

  test('a body that refers to itself', () => {
    const body: Record<string, unknown> = {}
    body['self'] = body
    expect(problems({ target: { url: 'http://host/v1', body } })).toEqual([
      'target.body: cannot be written as JSON; accepted: an object of fields that JSON can carry',
    ])
  })
})

describe('the embedded server', () => {
  test.each([
    // what is left out is left to the server
    [simulator(), {}],
    [
      simulator({ ttft: '20ms', itl: 0, slots: 16, jitter: 0.1, seed: 7 }),
      { ttftMs: 20, itlMs: 0, slots: 16, jitter: 0.1, seed: 7 },
    ],
  ])('%j', (target, options) => {
    expect(checked({ target }).target).toEqual({ kind: 'simulator', options })
  })

  test.each([
    [{ ttft: -1 }, 'target.ttft: is -1, not of 0 or more'],
    [{ itl: '25h' }, "target.itl: is '25h', longer than '24h'"],
    [{ slots: 0 }, 'target.slots: is 0, below 1'],
    [{ jitter: 1.5 }, 'target.jitter: is 1.5, above 1'],
    [{ seed: 'x' }, "target.seed: is 'x', not a number"],
    [{ slot: 4 }, "target.slot: is not an option; did you mean 'slots'? accepted: ttft, itl, slots, jitter, seed"],
  ])('%j', (given, message) => {
    const found = problems({ target: simulator(given as never) })
    expect(found.map((problem) => problem.split('; accepted')[0])).toEqual([message])
  })

  test('holds all connections in one process, which bounds those in flight', () => {
    // 1,024 - 128 descriptors, of the server alone and not of three load processes
    const capacity = { descriptors: 1024, ports: 28_232 }
    expect(checked({ target: simulator(), workers: 3 }, { capacity }).maxInFlight).toBe(896)
  })
})

describe('a target of no kind', () => {
  test.each([
    [undefined, `target: is missing, here and in sloProject; accepted: ${TARGET}, or a function that gives one`],
    [null, `target: is null, not a target; accepted: ${TARGET}`],
    ['http://me:s3cret@host/v1', `target: is 'http://***@host/v1', not a target; accepted: ${TARGET}`],
    // the function called already
    [Promise.resolve({}), `target: is a promise, not a target; accepted: ${TARGET}, or the function itself`],
  ])('%j', (target, message) => {
    expect(problems({ target })).toEqual([message])
  })
})

test('a function is not called by the check', () => {
  const call = () => {
    throw new Error('called')
  }
  expect(checked({ target: call }).target).toEqual({ kind: 'function', call })
})
