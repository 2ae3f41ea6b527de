import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'

/** The reading end of the canary, on the loop that reads the replies. */
export interface Canary {
  close(): void
}

/** Bytes of one canary: the instant of its write, host clock, ms, as a little-endian float64. */
export const CANARY_BYTES = 8

/**
 * Opens a loopback connection over which another thread sends this one canaries.
 *
 * @param connect has the other thread connect to a port of 127.0.0.1, and write
 * @param onRead hears of every canary: when it was written and when it is read, ms
 */
export async function openCanary(
  connect: (port: number) => void,
  now: () => number,
  onRead: (written: number, at: number) => void,
): Promise<Canary> {
  const server = createServer({ noDelay: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  connect((server.address() as AddressInfo).port)
  const [socket] = (await once(server, 'connection')) as [Socket]
  server.close()
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => {
    const at = now()
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let read = 0
    for (; read + CANARY_BYTES <= all.length; read += CANARY_BYTES) onRead(all.readDoubleLE(read), at)
    rest = all.subarray(read)
  })
  // The thread ends after this loop has: a reset then is no news.
  socket.on('error', () => socket.destroy())
  socket.unref()
  return { close: () => socket.destroy() }
}
