import fc from 'fast-check';

/** Any code point, also half of a surrogate pair. The unit `binary` of fast-check first builds a map of all of them, in two seconds. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
