import type { Target } from '../model/plan.ts'

/** What stands in a message where a secret stood. */
const REDACTED = '[redacted]'

/** Shorter values cannot be told from ordinary words and numbers, and are no keys. */
const SHORTEST = 6

/** Headers whose values name formats and programs, not persons. */
const PLAIN: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'anthropic-version',
  'content-type',
  'user-agent',
])

/**
 * Everything in a target that must never be shown: values of its headers, whole and in their parts (the key after
 * `Bearer`, each cookie), user info and query values of its URL, as written and decoded.
 * Values and parts of fewer than 6 characters are not among them.
 */
export function secretsOf(target: Pick<Target, 'url' | 'headers'>): string[] {
  const url = new URL(target.url)
  const found = [url.username, url.password, ...url.search.split(/[?&]/).map(afterEquals)]
  for (const [name, value] of Object.entries(target.headers)) {
    if (PLAIN.has(name)) continue
    found.push(value)
    if (name.endsWith('authorization')) found.push(value.replace(/^\S+\s+/, ''))
    if (name === 'cookie') found.push(...value.split(/;\s*/).map(afterEquals))
  }
  const secrets = new Set([...found, ...found.map(decoded)].filter((secret) => secret.length >= SHORTEST))
  // The longest first: a secret inside another must not break it in two.
  return [...secrets].sort((a, b) => b.length - a.length)
}

/** The text with every secret replaced, and what of one stands at the end of a text that was cut there. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => withoutCut(shown.replaceAll(secret, REDACTED), secret), text)
}

function withoutCut(text: string, secret: string): string {
  const beginning = secret.slice(0, SHORTEST)
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    if (secret.startsWith(text.slice(at))) return text.slice(0, at) + REDACTED
  }
  return text
}

function afterEquals(pair: string): string {
  return pair.slice(pair.indexOf('=') + 1)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
