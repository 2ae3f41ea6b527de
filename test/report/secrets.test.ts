import { expect, test } from 'vitest'
import { hiderOf } from '../../src/report/secrets.ts'
import { samplePlan } from './sample.ts'

const hide = hiderOf({
  ...samplePlan([]).target,
  url: 'https://me:hunter22@llm.test/v1/chat/completions?key=k-12345678&v=1',
  headers: {
    authorization: 'Bearer sk-very-secret',
    cookie: 'session=abcdef; theme=dark',
    'content-type': 'application/json',
  },
})

test.each([
  ['a key without its scheme', 'bad key sk-very-secret given', 'bad key [redacted] given'],
  ['a value of a cookie', 'no session abcdef', 'no session [redacted]'],
  ['a query value', 'key k-12345678 is unknown', 'key [redacted] is unknown'],
  ['what says nothing of anybody', 'expected application/json', 'expected application/json'],
  ['a URL with user info', 'GET http://u:p@a.test/x failed', 'GET http://a.test/x failed'],
  ['a URL with a short query', '"http://a.test/x?k=1", then', '"http://a.test/x", then'],
  ['a URL without secrets', 'at http://127.0.0.1:8000/v1.', 'at http://127.0.0.1:8000/v1.'],
])('%s', (_, text, shown) => {
  expect(hide(text)).toBe(shown)
})
