/** `invalid_cursor` as `InvalidCursor`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
