import type { buildConnector } from 'undici'
import type { HttpMethod } from '../model/plan.ts'
import type { Failure } from '../model/request.ts'
import type { Bodies } from './bodies.ts'
import type { Connection } from './connection.ts'
import type { WireFormat } from './format.ts'
import type { Lateness } from './lateness.ts'
import type { Watch } from './timeouts.ts'
import type { ScratchTrace } from './trace.ts'

/** What all connections of a client have in common. */
export interface Wire {
  readonly url: URL
  /** Name that the server's certificate must bear: the `host` header, else the host of the URL. */
  readonly host: string
  readonly format: WireFormat
  readonly method: HttpMethod
  /** Statuses that are a success; null for any 2xx. */
  readonly status: readonly number[] | null
  readonly bodies: Bodies
  /** Names and values in turn, the same for every request. */
  readonly headers: readonly string[]
  /** Beginning of every `x-request-id`; null when the author sends such a header himself. */
  readonly idPrefix: string | null
  readonly inputTokens: number
  readonly now: () => number
  readonly lateness: Lateness
  readonly watch: Watch<Connection>
  readonly connect: buildConnector.connector
  /** Socket reads of all connections so far; during a read, its number. */
  reads: number
  readonly onOpen: () => void
  /** The socket of a connection has closed. */
  readonly onClose: (connection: Connection) => void
  /** A request is over; null is a success. `reusable` says whether the connection may carry another. */
  readonly onSettled: (connection: Connection, trace: ScratchTrace, failure: Failure | null, reusable: boolean) => void
}
