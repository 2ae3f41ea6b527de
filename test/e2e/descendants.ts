import { readdir, readFile } from 'node:fs/promises'

/** A process below another one. */
export interface Descendant {
  readonly pid: number
  /** Its command line, or the title that it gave itself. */
  readonly command: string
}

/** All processes below one, at this moment, nearest first. Linux only. */
export async function descendantsOf(pid: number): Promise<Descendant[]> {
  const children = await childrenOf(pid)
  const found = await Promise.all(children.map(async (child) => ({ pid: child, command: await commandOf(child) })))
  const below = await Promise.all(children.map(descendantsOf))
  return [...found, ...below.flat()]
}

/** Processes among these that still run; one that has ended and only waits to be noticed does not. */
export async function running(processes: readonly Descendant[]): Promise<Descendant[]> {
  const states = await Promise.all(processes.map(({ pid }) => textOf(`/proc/${pid}/stat`)))
  // `123 (name) S ...`: the name may hold anything.
  return processes.filter((_, i) => /\) [^ZX][^)]*$/.test(states[i]!))
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(gone([]))
  const lists = await Promise.all(threads.map((thread) => textOf(`/proc/${pid}/task/${thread}/children`)))
  return lists.flatMap((list) => list.split(' ').filter((text) => text !== '')).map(Number)
}

async function commandOf(pid: number): Promise<string> {
  return (await textOf(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ').trim()
}

/** Empty for a process that has ended meanwhile. */
function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(gone(''))
}

function gone<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return instead
    throw error
  }
}
