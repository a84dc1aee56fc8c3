import { RE2JS } from 're2js';

/** A piece of text on a page; positions are fractions of the page as it is shown, from its top left corner. */
export interface PlacedText {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A filled-in field of a PDF form. */
export interface PlacedField extends Omit<PlacedText, 'text'> {
  value: string | boolean;
}

export interface PageText {
  texts: PlacedText[];
  fields: PlacedField[];
}

/** Where a zone is; positions are fractions of the page as it is shown, from its top left corner. */
export interface ZonePosition {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  anchor_text?: string | null;
}

/** A zone, and how its text is read. */
export interface ZoneToRead extends ZonePosition {
  /** RE2 regular expression. */
  pattern?: string | null;
  /** What joins the lines to the text that the pattern must match; null: each line must. */
  separator: string | null;
}

/** What a zone contains: lines of text from top to bottom, or whether a box is ticked. */
export interface ZoneContent {
  lines: string[];
  ticked: boolean | null;
  /** What the pattern matched in each line or, with a separator, in the only text; null for nothing. Empty without a pattern. */
  matches: (PatternMatch | null)[];
}

/** What a pattern matched: its first group or, without one, all of the match. */
export interface PatternMatch {
  text: string;
  /** The text around the match continues a number, as ` 234` does after `1`: the match is not the number that is printed. */
  cutsNumber: boolean;
}

type Area = Pick<ZonePosition, 'x' | 'y' | 'w' | 'h'>;

/** The content of a zone. Values of form fields replace the printed text, which a viewer draws below them. */
export function contentOf(page: PageText, zone: ZonePosition): Omit<ZoneContent, 'matches'> {
  const fields = fieldsInside(page, zone);
  const box = fields.find(({ value }) => typeof value === 'boolean');
  const texts = textsOf(fields);
  const inside = texts.length > 0 ? texts : page.texts.flatMap((text) => partInside(text, zone));
  const lines = linesOf(inside)
    .flatMap((line) => line.split(/\r\n?|\n/))
    .map((line) => withoutAnchor(line, zone.anchor_text));
  const found = lines.filter((line) => line !== '');
  return { lines: found.length > 0 ? found : rightOfAnchor(page, zone), ticked: box ? (box.value as boolean) : null };
}

const WHOLE_PAGE: Area = { x: 0, y: 0, w: 1, h: 1 };

/**
 * The lines of a page as it is shown, without the texts that are left out: pdf.js leaves out texts that were cropped, but not form fields.
 * Those stand among what is printed.
 */
export function linesOfPage(page: PageText, leftOut: ReadonlySet<string>): string[] {
  const kept = page.texts.filter(({ text }) => !leftOut.has(text.trim()));
  return linesOf([...kept, ...textsOf(fieldsInside(page, WHOLE_PAGE))])
    .flatMap((line) => line.split(/\r\n?|\n/))
    .filter((line) => line !== '');
}

/** What the zone's pattern matches in its lines. The cost is the length of the text times that of the pattern. */
export function matchesOf(lines: readonly string[], { pattern, separator }: ZoneToRead): (PatternMatch | null)[] {
  if (!pattern || lines.length === 0) return [];
  const expression = RE2JS.compile(pattern);
  return (separator === null ? lines : [lines.join(separator)]).map((text) => matched(expression, text));
}

function matched(expression: RE2JS, text: string): PatternMatch | null {
  const matcher = expression.matcher(text);
  if (!matcher.find()) return null;
  const group = matcher.groupCount() > 0 && matcher.group(1) !== null ? 1 : 0;
  const [start, end] = [matcher.start(group), matcher.end(group)];
  const isContinued =
    MORE_AFTER.test(text.slice(end, end + MARGIN)) ||
    // a pattern that goes on behind its group names the letters of a unit itself, such as (\d+)kg
    (end === matcher.end() && LETTER_AFTER.test(text.slice(end, end + MARGIN)));
  const found = text.slice(start, end);
  const cutsNumber = /\d[.,]?$/.test(found) && isContinued;
  return { text: found, cutsNumber: cutsNumber || (/^\d/.test(found) && MORE_BEFORE.test(text.slice(Math.max(0, start - MARGIN), start))) };
}

/** Characters around a match that show whether it is a whole number. */
const MARGIN = 5;
/** More digits, decimals, a group of three digits, an exponent or a sign. */
const MORE_AFTER = /^(?:\d|[.,'’]\d|[ \u00a0\u202f]\d{3}(?!\d)|e[-+]?\d|[-+−])/i;
const LETTER_AFTER = /^\p{L}/u;
const MORE_BEFORE = /(?:\d[.,'’]?|(?:^|[^\p{L}\d])[-−])$/u;

function isInside({ x, y, w, h }: Area, atX: number, atY: number): boolean {
  return atX >= x && atX <= x + w && atY >= y && atY <= y + h;
}

function fieldsInside({ fields }: PageText, zone: Area): PlacedField[] {
  return fields.filter(({ x, y, w, h }) => isInside(zone, x + w / 2, y + h / 2));
}

function textsOf(fields: readonly PlacedField[]): PlacedText[] {
  return fields.flatMap(({ value, ...place }) => (typeof value === 'string' ? [{ text: value, ...place }] : []));
}

/** The characters of a text whose middle lies in the zone: a printed line often reaches beyond it. */
function partInside(text: PlacedText, zone: Area): PlacedText[] {
  const middle = text.y + text.h / 2;
  if (!isInside(zone, clamp(zone.x, text.x, text.x + text.w), middle)) return [];
  const characters = [...text.text];
  const width = text.w / characters.length;
  const inside = characters.map((_, index) => isInside(zone, text.x + width * (index + 0.5), middle));
  const first = inside.indexOf(true);
  if (first < 0) return [];
  const last = inside.lastIndexOf(true);
  return [{ ...text, text: characters.slice(first, last + 1).join(''), x: text.x + width * first, w: width * (last + 1 - first) }];
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Texts on one line overlap vertically by half of their height; within a line they are read from left to right. */
function linesOf(texts: readonly PlacedText[]): string[] {
  const lines: PlacedText[][] = [];
  for (const text of [...texts].sort((one, other) => one.y + one.h / 2 - (other.y + other.h / 2))) {
    const line = lines.at(-1);
    const [first] = line ?? [];
    if (line && Math.abs(first.y + first.h / 2 - (text.y + text.h / 2)) < Math.max(first.h, text.h) / 2) line.push(text);
    else lines.push([text]);
  }
  return lines.map((line) => {
    const sorted = line.sort((one, other) => one.x - other.x);
    return sorted
      .map(({ text, x, h }, index) => {
        const before = sorted[index - 1] as PlacedText | undefined;
        return before && x - (before.x + before.w) > h / 8 ? ` ${text}` : text;
      })
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
  });
}

function withoutAnchor(line: string, anchor: string | null | undefined): string {
  return anchor && line.startsWith(anchor) ? line.slice(anchor.length).trim() : line;
}

/** The text behind the anchor on its line, for forms that are printed a little higher or lower than the zones expect. */
function rightOfAnchor({ texts }: PageText, { anchor_text, x, y }: ZonePosition): string[] {
  if (!anchor_text) return [];
  const anchors = texts.filter(({ text }) => text.includes(anchor_text));
  const nearest = anchors.sort((one, other) => Math.hypot(one.x - x, one.y - y) - Math.hypot(other.x - x, other.y - y))[0] as
    | PlacedText
    | undefined;
  if (!nearest) return [];
  const level = nearest.y + nearest.h / 2;
  const same = texts.filter((text) => text.x >= nearest.x && Math.abs(text.y + text.h / 2 - level) < nearest.h / 2);
  const [line = ''] = linesOf(same);
  return [line.slice(line.indexOf(anchor_text) + anchor_text.length).trim()].filter((text) => text !== '');
}
