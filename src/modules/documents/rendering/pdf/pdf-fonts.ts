import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import pdfmake from 'pdfmake';

export const SERIF = 'Serif';
export const SANS = 'Sans';

const FAMILIES = {
  [SERIF]: {
    normal: 'DejaVuSerifCondensed.ttf',
    bold: 'DejaVuSerifCondensed-Bold.ttf',
    italics: 'DejaVuSerifCondensed-Italic.ttf',
    bolditalics: 'DejaVuSerifCondensed-BoldItalic.ttf',
  },
  [SANS]: {
    normal: 'DejaVuSansCondensed.ttf',
    bold: 'DejaVuSansCondensed-Bold.ttf',
    italics: 'DejaVuSansCondensed-Oblique.ttf',
    bolditalics: 'DejaVuSansCondensed-BoldOblique.ttf',
  },
};

/** Replaces a character that a font lacks. It is visible in print and in copied text. */
const REPLACEMENT = '\uFFFD';
/** Characters without a glyph of their own: control characters except line feed, joiners, variation selectors, soft hyphens. */
const INVISIBLE = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFE00-\uFE0F\uFEFF]/g;
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

let covered: Promise<Set<number>> | undefined;
/** The fonts by family, regular and bold. */
const faces = new Map<string, Face>();

/** The characters that every face of both font families has. The fonts are read once, at the first call. */
export function loadFonts(): Promise<Set<number>> {
  covered ??= load();
  return covered;
}

async function load(): Promise<Set<number>> {
  const require = createRequire(import.meta.url);
  for (const file of Object.values(FAMILIES).flatMap((family) => Object.values(family))) {
    (pdfmake as unknown as VirtualFiles).virtualfs.writeFileSync(file, readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${file}`)));
  }
  pdfmake.setFonts(FAMILIES);
  // No document may make the server read a file or request a URL.
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy(() => false);
  const document = (await pdfmake.createPdf({ content: '', defaultStyle: { font: SERIF } }).getStream()) as unknown as Fonts;
  for (const family of Object.keys(FAMILIES))
    for (const bold of [false, true])
      faces.set(`${family} ${bold}`, { font: document.provideFont(family, bold, false).font, widths: new Map<number, number>() });
  const sets = Object.keys(FAMILIES).flatMap((family) =>
    [false, true].flatMap((bold) => [false, true].map((italics) => new Set(document.provideFont(family, bold, italics).font.characterSet))),
  );
  return new Set([...sets[0]].filter((character) => sets.every((set) => set.has(character))));
}

/** The width of a line of text in points; only after `loadFonts`. Kerning makes some lines narrower, never wider. */
export function textWidth(text: string, family: string, bold: boolean, fontSize: number): number {
  const { font, widths } = faces.get(`${family} ${bold}`) as Face;
  let units = 0;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    let width = widths.get(code);
    if (width === undefined) widths.set(code, (width = font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm));
    units += width;
  }
  return units * fontSize;
}

/** Replaces what the fonts lack, with one replacement per grapheme. */
export function printable(text: string, characters: ReadonlySet<number>): string {
  const clean = text.normalize('NFC').replaceAll('\t', ' ');
  const visible = clean.replace(INVISIBLE, '');
  if (isCovered(visible, characters)) return visible;
  return signs(clean)
    .map((sign) => (isCovered(sign.visible, characters) ? sign.visible : REPLACEMENT))
    .join('');
}

/** The characters of a text that the fonts lack. Nobody may be asked to sign a document with replaced characters. */
export async function unprintable(text: string): Promise<string[]> {
  const characters = await loadFonts();
  if (isCovered(text.normalize('NFC').replace(INVISIBLE, ''), characters)) return [];
  return [
    ...new Set(
      signs(text.normalize('NFC'))
        .filter((sign) => !isCovered(sign.visible, characters))
        .map((sign) => sign.whole),
    ),
  ];
}

/** The graphemes of a text. A joined sequence, such as a family emoji, is one grapheme. */
function signs(text: string): { whole: string; visible: string }[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => ({ whole: segment, visible: segment.replace(INVISIBLE, '') }));
}

function isCovered(text: string, characters: ReadonlySet<number>): boolean {
  for (const character of text) if (character !== '\n' && !characters.has(character.codePointAt(0) as number)) return false;
  return true;
}

/** Parts of pdfmake that its type definitions omit. */
interface VirtualFiles {
  virtualfs: { writeFileSync(name: string, content: Buffer): void };
}

interface Fonts {
  provideFont(family: string, bold: boolean, italics: boolean): { font: Font };
}

interface Font {
  characterSet: number[];
  unitsPerEm: number;
  glyphForCodePoint(code: number): { advanceWidth: number };
}

interface Face {
  font: Font;
  /** By code point, in units of the font size. */
  widths: Map<number, number>;
}
