/** The barcodes that a text can be printed as, as values of `x-format`. */
export const BARCODES = ['ean13', 'ean8', 'upca', 'code128'] as const;
export type BarcodeKind = (typeof BARCODES)[number];

/** Wider ones fit into no column. */
const LONGEST = 32;
const CODE_128 = new RegExp(`^[\\x20-\\x7e]{1,${LONGEST}}$`);
const DIGITS = { ean13: 13, ean8: 8, upca: 12 } as const;

export function isBarcode(format: unknown): format is BarcodeKind {
  return (BARCODES as readonly unknown[]).includes(format);
}

/** Whether scanners could read it. */
export function isEncodable(kind: BarcodeKind, text: string): boolean {
  return kind === 'code128' ? CODE_128.test(text) : isGtin(text, DIGITS[kind]);
}

export const BARCODE_NOUNS: Readonly<Record<BarcodeKind, string>> = {
  ean13: 'a number of 13 digits with its check digit (EAN-13), such as 4006381333931',
  ean8: 'a number of 8 digits with its check digit (EAN-8), such as 12345670',
  upca: 'a number of 12 digits with its check digit (UPC-A), such as 036000291452',
  code128: `a text of 1 to ${LONGEST} letters, digits and signs of ASCII (Code 128)`,
};

/** GS1 General Specifications, 7.9.1: from the right, the digits count one and three times. */
function isGtin(text: string, length: number): boolean {
  if (text.length !== length || !/^\d+$/.test(text)) return false;
  const sum = [...text].reverse().reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
