import { expect, test } from 'vitest'
import { endpointApis, endpointUrl, isEndpointOf } from '../../src/spec/endpoint.ts'

test.each([
  // a bare host is an OpenAI server's root
  ['http://host:8000', 'http://host:8000/v1/chat/completions'],
  ['http://host:8000/', 'http://host:8000/v1/chat/completions'],
  // the base
  ['http://host:8000/v1', 'http://host:8000/v1/chat/completions'],
  ['http://host:8000/v1/', 'http://host:8000/v1/chat/completions'],
  ['http://host:8000/v1//', 'http://host:8000/v1/chat/completions'],
  // a gateway's base, without /v1
  ['https://gateway/openai/team-a', 'https://gateway/openai/team-a/chat/completions'],
  // the full endpoint
  ['http://host:8000/v1/chat/completions', 'http://host:8000/v1/chat/completions'],
  ['http://host:8000/v1/chat/completions/', 'http://host:8000/v1/chat/completions'],
  // Azure: an endpoint of its own path, and a query that must stay
  [
    'https://x.azure.com/openai/deployments/gpt/chat/completions?api-version=1',
    'https://x.azure.com/openai/deployments/gpt/chat/completions?api-version=1',
  ],
  ['http://host/v1?key=a%20b', 'http://host/v1/chat/completions?key=a%20b'],
  // user info and fragment are no part of it
  ['http://me:pw@host/v1#top', 'http://host/v1/chat/completions'],
  // an IPv6 address, and a path that must stay encoded
  ['http://[::1]:8000/a%2Fb', 'http://[::1]:8000/a%2Fb/chat/completions'],
])('%s of openai-chat is %s', (given, endpoint) => {
  expect(endpointUrl(new URL(given), 'openai-chat')).toBe(endpoint)
})

test.each([
  ['http://host:8000', 'http://host:8000/v1/completions'],
  ['http://host:8000/v1/completions', 'http://host:8000/v1/completions'],
])('%s of openai-completions is %s', (given, endpoint) => {
  expect(endpointUrl(new URL(given), 'openai-completions')).toBe(endpoint)
})

test.each([
  // bare hosts, with the usual base of the API
  ['http://host:30000', 'sglang-generate', true, 'http://host:30000/generate'],
  ['http://host:3000', 'tgi-generate', true, 'http://host:3000/generate_stream'],
  ['http://host:3000', 'tgi-generate', false, 'http://host:3000/generate'],
  ['http://host:8000', 'triton-generate', true, 'http://host:8000/v2/models/m/generate_stream'],
  ['http://host:8080', 'llamacpp-completion', true, 'http://host:8080/completion'],
  ['http://host:11434', 'ollama-generate', true, 'http://host:11434/api/generate'],
  ['http://host:11434/api', 'ollama-chat', true, 'http://host:11434/api/chat'],
  ['http://host', 'openai-responses', true, 'http://host/v1/responses'],
  ['http://host', 'anthropic-messages', false, 'http://host/v1/messages'],
  ['http://host', 'gemini', true, 'http://host/v1beta/models/m:streamGenerateContent?alt=sse'],
  ['http://host', 'gemini', false, 'http://host/v1beta/models/m:generateContent'],
  // Vertex AI's base, and a query that the author has set
  [
    'http://host/v1/projects/p/publishers/google?alt=json&a=1',
    'gemini',
    true,
    'http://host/v1/projects/p/publishers/google/models/m:streamGenerateContent?alt=json&a=1',
  ],
  // a full endpoint has its model, and perhaps a version, in it already
  [
    'http://host/v1/models/x:streamGenerateContent',
    'gemini',
    true,
    'http://host/v1/models/x:streamGenerateContent?alt=sse',
  ],
  [
    'http://host/v2/models/x/versions/2/generate_stream',
    'triton-generate',
    true,
    'http://host/v2/models/x/versions/2/generate_stream',
  ],
  ['http://host/tgi/generate_stream/', 'tgi-generate', true, 'http://host/tgi/generate_stream'],
  // a plain endpoint stays as it is
  ['http://host', 'http', false, 'http://host/'],
  ['http://me:pw@host/health/?full=1#top', 'http', false, 'http://host/health/?full=1'],
])('%s of %s, streamed: %s', (given, api, stream, endpoint) => {
  expect(endpointUrl(new URL(given), api, { model: 'm', stream })).toBe(endpoint)
})

test.each([
  ['http://host/v1', true, []],
  // ends in /completions too: the longer path is meant
  ['http://host/v1/chat/completions', true, ['openai-chat']],
  ['http://host/v1/completions/', true, ['openai-completions']],
  ['http://host/my-completions', true, []],
  // several APIs have endpoints of this name
  ['http://host/generate', true, ['sglang-generate', 'ollama-generate']],
  ['http://host/generate', false, ['sglang-generate', 'tgi-generate', 'triton-generate', 'ollama-generate']],
  ['http://host/generate_stream', true, ['tgi-generate', 'triton-generate']],
  ['http://host/generate_stream', false, []],
  ['http://host/models/m:streamGenerateContent', true, ['gemini']],
  ['http://host/models/m:streamGenerateContent', false, []],
])('%s, streamed: %s, is an endpoint of %j', (given, stream, apis) => {
  expect(endpointApis(new URL(given), stream)).toEqual(apis)
})

test.each([
  ['http://host/v2/models/m/generate', 'm', true],
  ['http://host/v2/models/m/versions/2/generate', 'm', true],
  ['http://host/v2/models/x/generate', 'm', false],
  ['http://host/v1beta/models/gemini-2.5-flash:generateContent', 'gemini-2.5-flash', true],
  ['http://host/v1beta/models/gemini-2.5-flash:generateContent', 'models/gemini-2.5-flash', true],
  ['http://host/v1beta/models/gemini-2.5-flash-lite:generateContent', 'gemini-2.5-flash', false],
  ['http://host/v1beta/tunedModels/a%20b:generateContent', 'tunedModels/a b', true],
])('%s is of model %s: %s', (url, model, expected) => {
  expect(isEndpointOf(new URL(url), model)).toBe(expected)
})
