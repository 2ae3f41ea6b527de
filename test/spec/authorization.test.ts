import { expect, test } from 'vitest'
import { checked, problems } from './sample.ts'

const at = (given: object) => ({ target: { url: 'http://host', model: 'm', ...given } })

function headersOf(given: object) {
  const { target } = checked(at(given))
  return target.kind === 'url' ? target.target.headers : undefined
}

test.each([
  ['openai-responses', { authorization: 'Bearer sk-1' }],
  ['anthropic-messages', { 'anthropic-version': '2023-06-01', 'x-api-key': 'sk-1' }],
  ['gemini', { 'x-goog-api-key': 'sk-1' }],
])('the key of %s goes where it takes it', (api, headers) => {
  expect(headersOf({ api, apiKey: 'sk-1' })).toEqual(headers)
})

test('a key in a header of its own leaves room for the authorization of a proxy', () => {
  const given = { api: 'anthropic-messages', apiKey: 'sk-1' }
  expect(headersOf({ ...given, headers: { Authorization: 'Bearer p' } })).toMatchObject({
    'x-api-key': 'sk-1',
    authorization: 'Bearer p',
  })
  expect(headersOf({ ...given, url: 'http://me:pw@host' })).toMatchObject({
    'x-api-key': 'sk-1',
    authorization: 'Basic bWU6cHc=',
  })
})

test('the author’s headers win over those of the format', () => {
  const given = { api: 'anthropic-messages', headers: { 'Anthropic-Version': '2024-01-01' } }
  expect(headersOf(given)).toEqual({ 'anthropic-version': '2024-01-01' })
})

test.each([
  ['anthropic-messages', 'X-Api-Key', 'headers["x-api-key"]'],
  ['gemini', 'x-goog-api-key', 'headers["x-goog-api-key"]'],
  ['openai-chat', 'Authorization', 'headers.authorization'],
])('a key of %s is not given twice', (api, header, named) => {
  expect(problems(at({ api, apiKey: 'sk-1', headers: { [header]: 'x' } }))).toEqual([
    `target: is given an authorization by apiKey and by ${named}; accepted: one of them`,
  ])
})

test('nor is an authorization that is no key', () => {
  const given = { api: 'gemini', url: 'http://me@host', headers: { authorization: 'Bearer p' } }
  expect(problems(at(given))).toEqual([
    'target: is given an authorization by headers.authorization and by user info in url; accepted: one of them',
  ])
})
