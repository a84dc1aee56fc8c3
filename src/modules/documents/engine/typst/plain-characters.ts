import { HAS_HAN } from './han-fonts.js';

const HAN = [String.raw`\u3000-\u3002\u3005\u3008-\u3011`, String.raw`\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fa5\uac00-\ud7a3\uff01-\uff5e`];

/**
 * Text in Latin, Greek and Cyrillic letters, with the punctuation that goes with it, and the tick of checkboxes; and in Chinese characters,
 * kana and Hangul, if their fonts are installed. The fonts have all of it (`render-pdf.spec.ts`), so most texts are checked without
 * reading a font.
 */
export const PLAIN = new RegExp(
  `^[${[
    String.raw`\n\x20-\x7e\u00a0-\u00ac\u00ae-\u017f`,
    String.raw`\u0386-\u038a\u0391-\u03a1\u03a3-\u03ce\u0400-\u045f`,
    String.raw`\u2010-\u2027\u20ac\u2713`,
    ...(HAS_HAN ? HAN : []),
  ].join('')}]*$`,
);
