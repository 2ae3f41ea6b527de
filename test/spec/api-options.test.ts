import { describe, expect, test } from 'vitest'
import { checked, problems } from './sample.ts'

const URL_ACCEPTED = "the API's base, such as 'http://host:8000/v1', or its full endpoint"
const OF_HTTP = 'accepted: api, url, apiKey, headers, body, method, status'
const OF_MODELS = 'accepted: api, url, apiKey, headers, body, model, stream, ignoreEos'

function target(given: object) {
  const { target } = checked({ target: { url: 'http://host:8000', ...given } })
  return target.kind === 'url' ? target.target : undefined
}

describe('a plain HTTP endpoint', () => {
  test.each([
    [{}, { method: 'GET', body: null, stream: false, model: null, status: null, headers: {} }],
    [{ body: { a: 1 } }, { method: 'POST', body: { a: 1 } }],
    [{ body: {} }, { method: 'POST', body: {} }],
    [
      { body: { a: 1, stream: true }, method: 'PUT' },
      { method: 'PUT', body: { a: 1, stream: true } },
    ],
    [{ method: 'HEAD' }, { method: 'HEAD', body: null }],
    [{ status: 404 }, { status: [404] }],
    [{ status: [200, 302] }, { status: [200, 302] }],
    [{ apiKey: 'sk-1' }, { headers: { authorization: 'Bearer sk-1' } }],
    // paths of models mean nothing here
    [{ url: 'http://host/v1/chat/completions/' }, { url: 'http://host/v1/chat/completions/' }],
  ])('%j', (given, expected) => {
    expect(target({ api: 'http', ...given })).toMatchObject(expected)
  })

  test.each([
    [{ model: 'm' }, `target.model: does not apply to api 'http'; ${OF_HTTP}`],
    [{ stream: false }, `target.stream: does not apply to api 'http'; ${OF_HTTP}`],
    [{ ignoreEos: true }, `target.ignoreEos: does not apply to api 'http'; ${OF_HTTP}`],
    [
      { method: 'get' },
      "target.method: is 'get', not one of them; did you mean 'GET'? accepted: 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'",
    ],
    [
      { method: 'GET', body: { a: 1 } },
      "target.body: is given, and method GET sends none; accepted: a method that sends one, such as 'POST'",
    ],
    [
      { status: '404' },
      "target.status: is '404', neither a status nor a list of them; accepted: a whole number from 200 to 599, such as 404, or a list of them",
    ],
    [
      { status: [] },
      'target.status: is an empty list, which holds no status; accepted: a whole number from 200 to 599, such as 404, or a list of them',
    ],
    [
      { status: [200, 99] },
      'target.status: is a list, not a status; accepted: a whole number from 200 to 599, such as 404, or a list of them',
    ],
  ])('%j', (given, message) => {
    expect(problems({ target: { url: 'http://host', api: 'http', ...given } })).toEqual([message])
  })

  test('has no other objective than E2E', () => {
    const target = { url: 'http://host', api: 'http' }
    expect(problems({ target, objectives: { e2e: 100 } })).toEqual([])
    expect(problems({ target, objectives: { ttft: 10, e2e: 100, ntpot: 5 } })).toEqual([
      "objectives.ttft: does not apply to replies of api 'http'; accepted: e2e",
      "objectives.ntpot: does not apply to replies of api 'http'; accepted: e2e",
    ])
  })
})

describe('a model', () => {
  test.each([
    [{ method: 'POST' }, `target.method: does not apply to api 'openai-chat'; ${OF_MODELS}`],
    [{ status: 200 }, `target.status: does not apply to api 'openai-chat'; ${OF_MODELS}`],
    [
      { api: 'tgi-generate', ignoreEos: true },
      "target.ignoreEos: is true, and servers of api 'tgi-generate' know no such thing; accepted: false, or api openai-chat, openai-completions, sglang-generate, llamacpp-completion",
    ],
    [
      { api: 'triton-generate' },
      "target.model: is missing, and api 'triton-generate' has it in its path; accepted: the name of a model, or the full endpoint as url",
    ],
    [
      { api: 'gemini' },
      "target.model: is missing, and api 'gemini' has it in its path; accepted: the name of a model, or the full endpoint as url",
    ],
    [
      { api: 'gemini', url: 'http://host/v1beta/models/a:streamGenerateContent', model: 'b' },
      "target.model: is 'b', and url is the endpoint of another; accepted: the model of url, or the API's base as url",
    ],
    [
      { api: 'gemini', url: 'http://host/v1beta/models/a:generateContent', model: 'a' },
      `target.url: is the endpoint of replies that do not stream, and stream is true; accepted: stream false, or ${URL_ACCEPTED}`,
    ],
    [
      { url: 'http://host/v1beta/models/a:streamGenerateContent' },
      `target.url: is the endpoint of api 'gemini', and api is 'openai-chat'; accepted: an endpoint of that api, or ${URL_ACCEPTED}`,
    ],
    [
      { url: 'http://host/generate' },
      `target.url: is the endpoint of api 'sglang-generate' or 'ollama-generate', and api is 'openai-chat'; accepted: an endpoint of that api, or ${URL_ACCEPTED}`,
    ],
    [
      { api: 'tgi-generate', url: 'http://host/generate_stream', stream: false },
      `target.url: is the endpoint of streamed replies, and stream is false; accepted: stream true, or ${URL_ACCEPTED}`,
    ],
    [
      { api: 'triton-generate', url: 'http://host/v2/models/m/generate', model: 'm' },
      `target.url: is the endpoint of replies that do not stream, and stream is true; accepted: stream false, or ${URL_ACCEPTED}`,
    ],
  ])('%j', (given, message) => {
    expect(problems({ target: { url: 'http://host:8000', ...given } })).toEqual([message])
  })

  test.each([
    [{ api: 'tgi-generate', ignoreEos: false }, { ignoreEos: false }],
    [{ api: 'triton-generate', model: 'ensemble' }, { url: 'http://host:8000/v2/models/ensemble/generate_stream' }],
    [{ api: 'gemini', model: 'm', stream: false }, { url: 'http://host:8000/v1beta/models/m:generateContent' }],
    // a full endpoint names its model
    [
      { api: 'gemini', url: 'http://host/models/m:generateContent', model: 'models/m', stream: false },
      { url: 'http://host/models/m:generateContent', model: 'models/m' },
    ],
    [
      { api: 'triton-generate', url: 'http://host/v2/models/x/generate', stream: false },
      { url: 'http://host/v2/models/x/generate', model: null },
    ],
    // endpoints of several APIs have one name
    [{ api: 'sglang-generate', url: 'http://host/generate' }, { url: 'http://host/generate' }],
  ])('%j', (given, expected) => {
    expect(target(given)).toMatchObject(expected)
  })
})
