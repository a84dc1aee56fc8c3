import { createRequire } from 'node:module';
import type { Font } from 'fontkit';
import { mainFile, regularFiles } from './fonts.js';
import { PLAIN } from './plain-characters.js';

/** Replaces a character that every font lacks. It is visible in print and in copied text. */
const REPLACEMENT = '\uFFFD';
/** Characters without a glyph of their own: control characters except line feed, joiners, variation selectors, soft hyphens. */
const INVISIBLE = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFE00-\uFE0F\uFEFF]/g;
/** Joiners that scripts and emoji need, and marks of the direction. What overrides the direction could disguise a text. */
const KEPT = /[\u200C-\u200F]/;
const packages = createRequire(import.meta.url);
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Widths of characters outside of the main fonts, in units of the font size. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f000}-\u{3fffd}]/u;
const OTHER_WIDTH = 0.65;

/** By the order of the families; read when a text needs them. */
const characterSets: ReadonlySet<number>[] = [];
const files = regularFiles();
/** By face. */
const faces = new Map<string, { font: Font; widths: Map<string, number> }>();

/** Replaces what the fonts lack, with one replacement per grapheme. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return Array.from(GRAPHEMES.segment(text.normalize('NFC').replaceAll('\t', ' ')), ({ segment }) =>
    isCovered(segment) ? segment.replace(INVISIBLE, (character) => (KEPT.test(character) ? character : '')) : REPLACEMENT,
  ).join('');
}

/** The graphemes of a text that the fonts lack. A document with replaced characters must not be signed. */
export function unprintable(text: string): string[] {
  if (PLAIN.test(text)) return [];
  return graphemesOf(text).filter((segment) => !isCovered(segment));
}

/** As `unprintable`, by the fonts that have been read; null if others may decide. To read one takes up to 0.1 s. */
export function knownUnprintable(text: string): string[] | null {
  const lacking = graphemesOf(text).filter((segment) => !isCovered(segment, (index) => characterSets[index]));
  return lacking.length === 0 || files.every((_, index) => characterSets[index] !== undefined) ? lacking : null;
}

function graphemesOf(text: string): string[] {
  return [...new Set(Array.from(GRAPHEMES.segment(text.normalize('NFC')), ({ segment }) => segment))];
}

/** Whether one font has all characters of a grapheme. A joined sequence, such as a family emoji, is one grapheme. */
function isCovered(grapheme: string, charactersIn: (index: number) => ReadonlySet<number> | undefined = charactersOf): boolean {
  // few fonts have a glyph for line feeds
  const visible = grapheme.replace(INVISIBLE, '').replace('\n', '');
  const codes = Array.from(visible, (character) => character.codePointAt(0) as number);
  return files.some((_, index) => {
    const characters = charactersIn(index);
    return characters !== undefined && codes.every((code) => characters.has(code));
  });
}

function charactersOf(index: number): ReadonlySet<number> {
  return (characterSets[index] ??= new Set(openFont(files[index]).characterSet));
}

/** Most texts have only plain characters, and do without the package, which takes 70 ms to load. */
function openFont(file: string): Font {
  const { openSync } = packages('fontkit') as typeof import('fontkit');
  return openSync(file) as Font;
}

/** The width of a line of text in points. Kerning makes some lines narrower, never wider; other scripts are estimated. */
export function textWidth(text: string, family: 'serif' | 'sans', bold: boolean, fontSize: number): number {
  const name = `${family} ${bold}`;
  let face = faces.get(name);
  if (face === undefined) faces.set(name, (face = { font: openFont(mainFile(family, bold)), widths: new Map() }));
  let units = 0;
  for (const character of text) {
    let width = face.widths.get(character);
    if (width === undefined) face.widths.set(character, (width = widthOf(character, face.font)));
    units += width;
  }
  return units * fontSize;
}

function widthOf(character: string, font: Font): number {
  const code = character.codePointAt(0) as number;
  if (font.hasGlyphForCodePoint(code)) return font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm;
  return WIDE.test(character) ? 1 : OTHER_WIDTH;
}
