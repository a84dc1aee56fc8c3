const CURRENCY = /^[A-Z]{3}$/;
const PLAIN = /^-?\d+(?:[.,]\d+)?$/;
/** Digits in groups of three, by one kind of separator, and decimals behind the other kind. */
const GROUPED = /^-?\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;

/**
 * A number as people write it, such as 12,500.50 or 12.500,50, with a decimal point and without groups; null if it is none. A
 * single separator before three digits could mean both: a point is a decimal point, a comma makes a group if the number has
 * fewer than three decimals. With three decimals a comma is rejected.
 */
export function decimalOf(text: string, decimals: number | null): string | null {
  const [, separator] = GROUPED.exec(text) ?? [];
  if (separator === undefined) return PLAIN.test(text) ? text.replace(',', '.') : null;
  const isSingle = text.replace(/[^.,'’ \u00a0\u202f]/g, '').length === 1;
  if (isSingle && separator === '.') return text;
  if (isSingle && separator === ',' && decimals === 3) return null;
  if (isSingle && separator === ',' && decimals === null) return text.replace(',', '.');
  return text.replaceAll(separator, '').replace(',', '.');
}

/** The number of decimal digits of a currency; 2 if it is unknown. */
export function minorDigitsOf(currency: string | null): number {
  if (currency === null || !CURRENCY.test(currency)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Works on the digits, because multiplying turns 1.15 into 114.99999999999999. */
export function minorUnits(number: string, digits: number): number | null {
  const [whole, fraction = ''] = number.split('.');
  return fraction.length > digits ? null : Number(`${whole}${fraction.padEnd(digits, '0')}`);
}
