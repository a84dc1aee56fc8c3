export const INCOMPLETE = 'is not complete: its end is missing';

/** A complete file ends with the position of its table of objects. */
export function lacksEnd(bytes: Buffer): boolean {
  return bytes.lastIndexOf('startxref') <= bytes.lastIndexOf('endobj');
}
