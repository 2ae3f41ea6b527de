import { expect, test } from 'vitest'
import { endpointApi, endpointUrl } from '../../src/spec/endpoint.ts'

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
  ['http://host/v1', undefined],
  // ends in /completions too: the longer path is meant
  ['http://host/v1/chat/completions', 'openai-chat'],
  ['http://host/v1/completions/', 'openai-completions'],
  ['http://host/my-completions', undefined],
])('%s is an endpoint of %s', (given, api) => {
  expect(endpointApi(new URL(given))).toBe(api)
})
