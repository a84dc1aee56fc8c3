/** Works on the digits, because multiplying turns 1.15 into 114.99999999999999. */
export function minorUnits(number: string, digits: number): number | null {
  const [whole, fraction = ''] = number.split('.');
  return fraction.length > digits ? null : Number(`${whole}${fraction.padEnd(digits, '0')}`);
}
