/**
 * What follows the prefix in the VAT numbers of the member states of the European Union, as the Commission's VIES describes them. EL is
 * Greece; XI is Northern Ireland, for goods. Check digits are not verified: member states have changed how they compute them, and a number
 * that a register knows must not be refused.
 */
const FORMATS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^[1-9]\d{8}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[0-9A-Z]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[0-9A-HJ-NP-Z]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

/** The prefix of a VAT number of the European Union, such as DE; null if it is none. */
export function vatStateOf(number: string | null | undefined): string | null {
  const plain = compact(number);
  const [prefix, rest] = [plain.slice(0, 2), plain.slice(2)];
  return Object.hasOwn(FORMATS, prefix) && FORMATS[prefix].test(rest) && /[1-9]/.test(rest) ? prefix : null;
}

/**
 * Whether it can identify a business: by a VAT number of the European Union, or by another registration, which has at least four digits.
 * Digits after the prefix of a member state can only be a VAT number.
 */
export function isRegistration(number: string | null | undefined): boolean {
  if (vatStateOf(number) !== null) return true;
  const plain = compact(number);
  if (Object.hasOwn(FORMATS, plain.slice(0, 2)) && /^\d+$/.test(plain.slice(2))) return false;
  const digits = plain.replace(/\D/g, '');
  return digits.length >= 4 && /[1-9]/.test(digits);
}

function compact(number: string | null | undefined): string {
  return (number ?? '').replace(/[\s./\-–]/g, '').toUpperCase();
}
