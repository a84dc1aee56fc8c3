import { isSpace, tokenAt } from './content-tokens.js';

const OPERATORS = new Set(
  (
    'b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc SCN ' +
    'scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y \' "'
  ).split(' '),
);
const OPERAND = /^(?:[-+.\d]+|\/.*|<<|>>|\[|\]|true|false|null)$/s;
/** Tokens after an image that must be those of a page. */
const TOKENS_AFTER = 10;
const COMPONENTS: Readonly<Record<string, number>> = {
  G: 1,
  DeviceGray: 1,
  RGB: 3,
  DeviceRGB: 3,
  CMYK: 4,
  DeviceCMYK: 4,
  I: 1,
  Indexed: 1,
};

/**
 * The position behind an inline image, whose entries begin at `from`. Its bytes can contain any operator, even the one that ends it, and
 * nothing states their number. Throws if the image has no end.
 */
export function imageEnd(contents: Uint8Array, from: number): number {
  const entries: string[] = [];
  let token = tokenAt(contents, from);
  while (token && token.word !== 'ID') {
    entries.push(token.word ?? '');
    token = tokenAt(contents, token.end);
  }
  if (!token) throw new Error('An inline image has no data.');
  // one white-space character separates the bytes
  const data = token.end + 1;
  const expected = data + (lengthOf(entries) ?? 0);
  for (let at = contents.indexOf(EI[0], expected); at >= 0; at = contents.indexOf(EI[0], at + 1))
    if (isEnd(contents, at)) return at + EI.length;
  throw new Error('An inline image has no end.');
}

const EI = Buffer.from('EI');

function isEnd(contents: Uint8Array, at: number): boolean {
  if (contents[at + 1] !== EI[1] || !(isSpace(contents[at - 1]) || contents[at - 1] === '>'.charCodeAt(0))) return false;
  const behind = at + EI.length;
  if (behind < contents.length && !isSpace(contents[behind])) return false;
  let token = tokenAt(contents, behind);
  for (let count = 0; token && count < TOKENS_AFTER; count++) {
    if (token.word !== null && !OPERATORS.has(token.word) && !OPERAND.test(token.word)) return false;
    if (token.word === 'BI') return true;
    token = tokenAt(contents, token.end);
  }
  return true;
}

/** The number of bytes of an image without a filter; null if it is not known. */
function lengthOf(entries: readonly string[]): number | null {
  const value = (...keys: string[]): string | undefined => {
    const at = entries.findIndex((entry) => keys.includes(entry));
    return at < 0 ? undefined : entries[at + 1] === '[' ? entries[at + 2] : entries[at + 1];
  };
  if (value('/F', '/Filter') !== undefined) return null;
  const isMask = value('/IM', '/ImageMask') === 'true';
  const components = isMask ? 1 : COMPONENTS[value('/CS', '/ColorSpace')?.slice(1) ?? ''];
  const bits = isMask ? 1 : Number(value('/BPC', '/BitsPerComponent'));
  const length = Math.ceil((Number(value('/W', '/Width')) * components * bits) / 8) * Number(value('/H', '/Height'));
  return Number.isSafeInteger(length) && length > 0 ? length : null;
}
