import { expect, test } from 'vitest'
import { wholeFinding } from '../../src/analysis/whole.ts'
import { countsOf, openStep, profileWith, recordOf, stepProfileOf } from './records.ts'

const voided = stepProfileOf(openStep(10), { voids: [{ check: 'stall', message: 'it stood still' }] })
const sound = stepProfileOf(openStep(20))
const answered = recordOf({ counts: countsOf(5) })
const silent = recordOf({
  counts: countsOf(5, { failed: 5 }),
  examples: [{ kind: 'refused', status: null, count: 5, message: 'connect ECONNREFUSED' }],
})

test.each([
  ['a sound run is neither', [sound], answered, [], null],
  ['one void step of two leaves the other', [voided, sound], answered, [], null],
  [
    'every step is void',
    [voided, voided],
    answered,
    [],
    { verdict: 'invalid', reasons: ['every step is void: it stood still'] },
  ],
  [
    'no reply at all',
    [sound],
    silent,
    [],
    {
      verdict: 'inconclusive',
      reasons: ['not one of 5 requests got a successful reply (refused: connect ECONNREFUSED)'],
    },
  ],
  [
    'a breach comes first, with the others',
    [voided],
    silent,
    ['a load process died', 'requests were lost'],
    { verdict: 'invalid', reasons: ['a load process died', 'requests were lost'] },
  ],
  [
    'void steps come before silence',
    [voided],
    silent,
    [],
    { verdict: 'invalid', reasons: ['every step is void: it stood still'] },
  ],
  [
    'no step and nothing offered',
    [],
    recordOf(),
    [],
    { verdict: 'inconclusive', reasons: ['not one of 0 requests got a successful reply'] },
  ],
])('%s', (_, steps, total, breaches, finding) => {
  expect(wholeFinding(profileWith(steps, { total, breaches }))).toEqual(finding)
})
