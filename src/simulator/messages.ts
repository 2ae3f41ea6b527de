import type { Ledger, Punctuality } from './ledger.ts'

/** From the parent to the simulator's process. */
export type Order =
  | { readonly kind: 'writes'; readonly id: number; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'ledger'; readonly id: number }
  | { readonly kind: 'close' }

/** From the simulator's process to the parent: first how the start went, then one answer per numbered order. */
export type Notice =
  | { readonly kind: 'ready'; readonly port: number; readonly pid: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'writes'; readonly id: number; readonly writes: Punctuality }
  | { readonly kind: 'ledger'; readonly id: number; readonly ledger: Ledger }
