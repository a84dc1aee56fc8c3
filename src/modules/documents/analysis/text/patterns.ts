/** The source of a group that matches any of the alternatives, which are sources of regular expressions. */
export function oneOf(...alternatives: string[]): string {
  return `(?:${alternatives.join('|')})`;
}
