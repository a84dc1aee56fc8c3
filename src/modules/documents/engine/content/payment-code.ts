/** What a code for a credit transfer says. */
export interface Payment {
  name: string;
  iban: string;
  /** In cents. */
  amount: bigint;
  reference: string;
}

const LONGEST_NAME = 70;
const LONGEST_REFERENCE = 140;
const MOST_CENTS = 99_999_999_999n;

/** The text of a QR code for a SEPA credit transfer in euros (EPC069-12, version 002). Null if banks would not read it. */
export function paymentText({ name, iban, amount, reference }: Payment): string | null {
  const account = iban.replace(/\s/g, '').toUpperCase();
  const isShort = name.length <= LONGEST_NAME && reference.length <= LONGEST_REFERENCE && !/[\r\n]/.test(name + reference);
  if (!isIban(account) || name.trim() === '' || !isShort || amount < 1n || amount > MOST_CENTS) return null;
  const cents = String(amount).padStart(3, '0');
  return ['BCD', '002', '1', 'SCT', '', name.trim(), account, `EUR${cents.slice(0, -2)}.${cents.slice(-2)}`, '', '', reference]
    .join('\n')
    .trimEnd();
}

/** Whether the check digits are right (ISO 13616). */
export function isIban(account: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account)) return false;
  const digits = `${account.slice(4)}${account.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
