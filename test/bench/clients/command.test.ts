import { describe, expect, test } from 'vitest'
import { isOnPath, runCommand } from '../../../bench/bias/clients/command.ts'

describe('isOnPath', () => {
  test('finds what is there and nothing else', async () => {
    expect(await isOnPath('node')).toBe(true)
    expect(await isOnPath('no-such-load-generator')).toBe(false)
  })
})

describe('runCommand', () => {
  test('gives what the program prints, with its environment', async () => {
    const script = 'process.stdout.write(process.env.GREETING)'
    const { output } = await runCommand(process.execPath, ['-e', script], { GREETING: 'hello' })
    expect(output).toBe('hello')
  })

  test('says what a program said that failed', async () => {
    const script = 'console.error("no such scenario"); process.exitCode = 3'
    await expect(runCommand(process.execPath, ['-e', script])).rejects.toThrow(/code 3:\nno such scenario/)
  })
})
