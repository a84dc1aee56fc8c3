export type Json = Record<string, unknown>;

/** The object in a JSON text; undefined for anything else. */
export function objectIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
