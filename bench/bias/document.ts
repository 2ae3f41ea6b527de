/** The lines between which a document is written by the bench. */
export const BEGIN = '<!-- bench:bias begins -->'
export const END = '<!-- bench:bias ends -->'

/**
 * The document with other text between the markers.
 *
 * @throws {Error} when the markers are not there, once each and in order
 */
export function withResults(document: string, results: string): string {
  const parts = document.split(BEGIN)
  const [before, rest = ''] = parts
  const after = rest.split(END)
  if (parts.length !== 2 || after.length !== 2) {
    throw new Error(`the document needs the line ${BEGIN} and after it ${END}, once each`)
  }
  return `${before}${BEGIN}\n\n${results.trim()}\n\n${END}${after[1]}`
}
