import { redact, secretsOf } from '../client/redact.ts'
import type { Target } from '../model/plan.ts'

/** A URL in a text: scheme, user info, host and path, query and fragment. */
const URL_PARTS = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#]*@)?([^\s?#"'<>]*)(?:[?#][^\s"'<>]*)?/gi

/**
 * Makes a message fit to be kept: the target's secrets (header values, user info, query values) are replaced wherever
 * they stand, and every URL loses its user info and its query, however short they are.
 */
export function hiderOf(target: Target): (text: string) => string {
  const secrets = secretsOf(target)
  return (text) => redact(text, secrets).replace(URL_PARTS, '$1$2')
}
