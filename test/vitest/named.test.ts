import { describe, expect, test } from 'vitest'
import { namesSpec } from '../../src/vitest/named.ts'

describe('a file filter names a spec', () => {
  test.each([
    ['chat', 'chat.slo.ts', 'the name without its suffix'],
    ['cha', 'chat.slo.ts', 'the beginning of the name'],
    ['at', 'chat.slo.ts', 'any part of the name'],
    ['chat.slo.ts', 'chat.slo.ts', 'the whole name'],
    ['chat.slo', 'chat.slo.ts', 'the name up to its suffix'],
    ['.slo.ts', 'chat.slo.ts', 'the suffix of all specs'],
    ['chat.slo.ts:12', 'chat.slo.ts', 'the name with a line'],
    ['chat:12', 'load/chat.slo.ts', 'a part of the name with a line'],
    ['load/chat.slo.ts', 'load/chat.slo.ts', 'the path'],
    ['load/chat', 'load/chat.slo.ts', 'the path without the suffix'],
    ['./load/chat.slo.ts', 'load/chat.slo.ts', 'the path, as a shell completes it'],
    ['/home/me/project/load/chat.slo.ts', 'load/chat.slo.ts', 'the absolute path'],
    ['/home/me/project/chat', 'chat.slo.ts', 'the absolute path without the suffix'],
    ['C:/project/load/chat.slo.ts', 'load/chat.slo.ts', 'the absolute path on Windows'],
    ['ad/chat', 'load/chat.slo.ts', 'a part of the path, as Vitest takes it'],
    [String.raw`load\chat.slo.ts`, 'load/chat.slo.ts', 'the path on Windows'],
    ['Chat', 'chat.slo.ts', 'in other letters'],
    ['chat', 'Chat.slo.mts', 'in other letters, other suffix'],
    ['chat', 'chat.slo.js', 'JavaScript'],
  ])('%s: %s (%s)', (filter, spec) => {
    expect(namesSpec(filter, spec)).toBe(true)
  })
})

describe('a file filter names no spec', () => {
  test.each([
    ['', 'chat.slo.ts', 'nothing'],
    ['.', 'chat.slo.ts', 'this folder'],
    ['.', 'chat.v2.slo.ts', 'this folder, with a dot in the name'],
    ['./', 'chat.slo.ts', 'this folder, spelled out'],
    ['load', 'load/chat.slo.ts', 'a folder above it'],
    ['load/', 'load/chat.slo.ts', 'a folder above it, spelled out'],
    ['slo', 'chat.slo.ts', 'a part of the suffix'],
    ['ts', 'chat.slo.ts', 'the extension'],
    ['other', 'chat.slo.ts', 'another spec'],
    ['chat.test.ts', 'chat.slo.ts', 'a test of the same name'],
    ['unit/chat', 'load/chat.slo.ts', 'another folder, though another filter found the spec'],
    ['unit/chat', 'chat.slo.ts', 'another folder than the root'],
    ['/home/me/project/unit/chat', 'load/chat.slo.ts', 'another folder, absolute'],
  ])('%s: %s (%s)', (filter, spec) => {
    expect(namesSpec(filter, spec)).toBe(false)
  })
})
