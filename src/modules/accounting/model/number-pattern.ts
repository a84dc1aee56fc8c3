const SEQUENCE = /\{SEQ(?::([1-9]))?\}/g;

/** Whether it contains the year and the number once each, and no other placeholder. */
export function isNumberPattern(pattern: string): boolean {
  return (
    [...pattern.matchAll(SEQUENCE)].length === 1 &&
    pattern.split('{YYYY}').length === 2 &&
    !/[{}]/.test(pattern.replaceAll(SEQUENCE, '').replace('{YYYY}', ''))
  );
}

/** `INV-{YYYY}-{SEQ:5}` becomes `INV-2026-00042`. */
export function numberOf(pattern: string, year: string, sequence: number): string {
  return pattern
    .replace('{YYYY}', year)
    .replaceAll(SEQUENCE, (_, digits: string | undefined) => String(sequence).padStart(Number(digits ?? 1), '0'));
}
