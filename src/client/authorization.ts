/** The headers of an API whose key is a bearer token; none without a key. */
export function bearer(apiKey: string | null): Readonly<Record<string, string>> {
  return apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
}
