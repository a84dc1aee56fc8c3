const CURRENCY = /^[A-Z]{3}$/;

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
