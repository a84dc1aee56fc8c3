import { constants, inflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream, PDFRef, PDFStream, type PDFContext, type PDFObject } from '@cantoo/pdf-lib';
import { insetOf, type Look, type Stamp } from '../stamping/stamp-pdf.js';
import type { Box } from '../stamping/page-box.js';
import { shownValues } from './form-fields.js';
import { withoutTexts } from './empty-content.js';
import { inherited, itemsOf, textOf } from '../updates/pdf-objects.js';
import { cellsOf, borderWidth, flagsOf, frameOf, optionsOf, statesOf, type Widget } from './widgets.js';

const MULTILINE = 1 << 12;
const PASSWORD = 1 << 13;
const COMBO = 1 << 17;
/** A type that is chosen by the height of the field is not larger. */
const LARGEST_AUTOMATIC = 12;
/** The height of a line of a list, in sizes of its type. */
const LINE = 1.2;
const MOST_APPEARANCE_BYTES = 2 * 2 ** 20;
const SELECTED = '#99c1da';
const name = (text: string) => PDFName.of(text);

/** What the form says for all its fields. */
export interface FormDefaults {
  /** Texts are drawn by their values, whatever appearance they have. */
  needsAppearances: boolean;
  resources: PDFObject | undefined;
  appearance: string;
}

/** Where an appearance is drawn. */
export interface Drawn {
  /** A form XObject. */
  form: PDFRef;
  matrix: string;
}

/** What a widget's own appearance draws; null if it has none. `isEmpty`: without its value. */
export function ownAppearance({ dict, kind }: Widget, box: Box, defaults: FormDefaults, isEmpty = false): Drawn | null {
  if (defaults.needsAppearances && (kind === 'text' || kind === 'list')) return null;
  const appearances = dict.lookup(name('AP'));
  const normal = appearances instanceof PDFDict ? appearances.lookup(name('N')) : undefined;
  const stream =
    normal instanceof PDFDict && !(normal instanceof PDFStream) ? normal.lookup(isEmpty ? name('Off') : stateOf(dict)) : normal;
  if (!(stream instanceof PDFRawStream)) return null;
  const { context } = dict;
  const form = stream.dict.clone(context);
  form.set(name('Type'), name('XObject'));
  form.set(name('Subtype'), name('Form'));
  // viewers take what is missing from the form
  if (!form.has(name('Resources')) && defaults.resources) form.set(name('Resources'), defaults.resources);
  const layer = dict.get(name('OC'));
  if (layer) form.set(name('OC'), layer);
  if (!isArrayOf(4, form.lookup(name('BBox')))) form.set(name('BBox'), context.obj([0, 0, box.width, box.height]));
  const contents = isEmpty && kind !== 'checkbox' && kind !== 'choice' ? emptied(stream, form) : stream.contents;
  return contents && { form: context.register(PDFRawStream.of(form, contents)), matrix: placing(form, box) };
}

/** The contents of an appearance without its texts; `form` becomes its dictionary. Null for contents that cannot be read. */
function emptied(stream: PDFRawStream, form: PDFDict): Uint8Array | null {
  const filters = form.lookup(name('Filter'));
  const [filter, ...others] = filters instanceof PDFArray ? itemsOf(filters) : [filters];
  if (others.length > 0 || (filter !== undefined && filter !== name('FlateDecode')) || form.has(name('DecodeParms'))) return null;
  try {
    // viewers also read what is cut off
    const options = { maxOutputLength: MOST_APPEARANCE_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
    const { dict, contents } = form.context.flateStream(withoutTexts(filter ? inflateSync(stream.contents, options) : stream.contents));
    for (const [key, value] of dict.entries()) form.set(key, value);
    return contents;
  } catch {
    return null;
  }
}

/** What a widget draws while it has no value: its background and its frame. */
export function emptyAppearance(widget: Widget, box: Box, defaults: FormDefaults): Drawn {
  const own = ownAppearance(widget, box, defaults, true);
  if (own) return own;
  const { context } = widget.dict;
  const { width, height } = box;
  const operators = drawnAppearance(widget, { x: 0, y: 0, width, height }, true);
  const entries = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, width, height], Resources: {} };
  return { form: context.register(context.flateStream(operators, entries)), matrix: `1 0 0 1 ${decimal(box.x)} ${decimal(box.y)}` };
}

/** The state of a checkbox or choice, which selects one of its appearances. */
function stateOf(dict: PDFDict): PDFName {
  const state = dict.lookup(name('AS')) ?? inherited(dict, 'V');
  return state instanceof PDFName ? state : name('Off');
}

/** The matrix that draws the box of a form XObject into that of a widget (ISO 32000-1, 12.5.5, algorithm 8.1). */
function placing(form: PDFDict, box: Box): string {
  const [left, bottom, right, top] = numbersIn(form.lookup(name('BBox')), 4) ?? [0, 0, box.width, box.height];
  const [a, b, c, d, e, f] = numbersIn(form.lookup(name('Matrix')), 6) ?? [1, 0, 0, 1, 0, 0];
  const corners = [
    [left, bottom],
    [left, top],
    [right, bottom],
    [right, top],
  ].map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - x, Math.max(...ys) - y];
  const [scaleX, scaleY] = [width > 0 ? box.width / width : 1, height > 0 ? box.height / height : 1];
  return [scaleX, 0, 0, scaleY, box.x - x * scaleX, box.y - y * scaleY].map(decimal).join(' ');
}

/** PDF knows no exponents. */
function decimal(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toFixed(6))).replace(/^(-?)(\d+)e.*/, '$10') : '0';
}

function numbersIn(value: PDFObject | undefined, length: number): number[] | null {
  return isArrayOf(length, value) ? itemsOf(value).map((one) => (one as PDFNumber).asNumber()) : null;
}

function isArrayOf(length: number, value: PDFObject | undefined): value is PDFArray {
  return value instanceof PDFArray && value.size() === length && itemsOf(value).every((one) => one instanceof PDFNumber);
}

/** What viewers draw behind the value of a widget without an appearance, and the mark of a checkbox or choice. */
export function drawnAppearance({ dict, kind }: Widget, box: Box, isEmpty = false): string {
  const look = dict.lookup(name('MK'));
  const [fill, stroke] = ['BG', 'BC'].map((key) => colorOf(look instanceof PDFDict ? look.lookup(name(key)) : undefined));
  const { line, style, dashes } = borderOf(dict);
  const outline = kind === 'choice' ? circle : rectangle;
  const frame = style === 'U' && kind !== 'choice' ? underline : outline;
  const state = isEmpty ? name('Off') : stateOf(dict);
  const cells = kind === 'text' ? cellsOf(dict) : 0;
  const between = Array.from({ length: Math.max(0, cells - 1) }, (_, index) => box.x + ((index + 1) * box.width) / cells).map(decimal);
  const combs = between.map((x) => `${x} ${decimal(box.y)} m ${x} ${decimal(box.y + box.height)} l `).join('');
  const isSelected = state !== name('Off') && (statesOf(dict).length === 0 || statesOf(dict).includes(state.decodeText()));
  const parts = [
    ...(fill === null ? [] : [`${fill.join(' ')} ${FILL[fill.length]} ${outline(box, 0)} f`]),
    ...(stroke === null || line <= 0
      ? []
      : [`${stroke.join(' ')} ${STROKE[stroke.length]} ${decimal(line)} w ${dashes}${combs}${frame(box, line / 2)} S`]),
    ...(kind === 'checkbox' && isSelected ? [tick(box)] : []),
    ...(kind === 'choice' && isSelected ? [`0 g ${circle(box, Math.min(box.width, box.height) / 4)} f`] : []),
  ];
  return parts.length === 0 ? '' : `q ${parts.join(' ')} Q`;
}

/** The frame of a widget: `line` is its width, `style` one of S, D, B, I and U (ISO 32000-1, tables 164 and 166). */
function borderOf(dict: PDFDict): { line: number; style: string; dashes: string } {
  const border = dict.lookup(name('BS'));
  const [, , , oldDashes] = dict.lookup(name('Border')) instanceof PDFArray ? itemsOf(dict.lookup(name('Border'), PDFArray)) : [];
  const isNew = border instanceof PDFDict;
  const kind = isNew ? border.lookup(name('S')) : undefined;
  const style = kind instanceof PDFName ? kind.decodeText() : oldDashes instanceof PDFArray && !isNew ? 'D' : 'S';
  const given = isNew ? border.lookup(name('D')) : oldDashes;
  const lengths = given instanceof PDFArray && given.size() > 0 ? (numbersIn(given, given.size()) ?? [3]) : [3];
  const isDashed = style === 'D' && lengths.every((length) => length >= 0) && lengths.some((length) => length > 0);
  const dashes = isDashed ? `[${lengths.map(decimal).join(' ')}] 0 d ` : '';
  return { line: borderWidth(dict), style, dashes };
}

function underline({ x, y, width }: Box, inset: number): string {
  return `${decimal(x)} ${decimal(y + inset)} m ${decimal(x + width)} ${decimal(y + inset)} l`;
}

function rectangle({ x, y, width, height }: Box, inset: number): string {
  return `${[x + inset, y + inset, width - 2 * inset, height - 2 * inset].map(decimal).join(' ')} re`;
}

/** Of four Bezier curves; the factor places their control points. */
function circle({ x, y, width, height }: Box, inset: number): string {
  const [cx, cy, r] = [x + width / 2, y + height / 2, Math.min(width, height) / 2 - inset];
  const k = r * 0.5523;
  const curve = (...points: [number, number][]) => `${points.flatMap(([u, v]) => [cx + u, cy + v].map(decimal)).join(' ')} c`;
  const start = `${decimal(cx + r)} ${decimal(cy)} m`;
  const right = [curve([r, k], [k, r], [0, r]), curve([-k, r], [-r, k], [-r, 0])];
  return [start, ...right, curve([-r, -k], [-k, -r], [0, -r]), curve([k, -r], [r, -k], [r, 0])].join(' ');
}

function tick({ x, y, width, height }: Box): string {
  const at = (u: number, v: number) => `${decimal(x + u * width)} ${decimal(y + v * height)}`;
  return `0 G ${decimal(Math.min(width, height) / 8)} w 1 J 1 j ${at(0.22, 0.5)} m ${at(0.42, 0.26)} l ${at(0.78, 0.76)} l S`;
}

const FILL: Readonly<Record<number, string>> = { 1: 'g', 3: 'rg', 4: 'k' };
const STROKE: Readonly<Record<number, string>> = { 1: 'G', 3: 'RG', 4: 'K' };

function colorOf(value: PDFObject | undefined): number[] | null {
  if (!(value instanceof PDFArray) || !(value.size() in FILL)) return null;
  return numbersIn(value, value.size());
}

/** The value of a widget without an appearance, to print into its place on the shown page. */
export function valueStamps(widget: Widget, place: Place, size: Size, defaults: FormDefaults): Stamp[] {
  const { dict, kind } = widget;
  const flags = flagsOf(dict);
  const [points, color] = typeOf(textOf(inherited(dict, 'DA')) ?? defaults.appearance);
  const automatic = Math.min(LARGEST_AUTOMATIC, size.height * 0.75);
  const alignment = inherited(dict, 'Q');
  const align = ALIGNMENTS[alignment instanceof PDFNumber ? alignment.asNumber() : 0] ?? 'left';
  const isMultiline = kind === 'text' && (flags & MULTILINE) !== 0;
  const inset = insetOf(size, frameOf(dict), isMultiline);
  const padding = { x: (inset.x / size.width) * place.w, y: (inset.y / size.height) * place.h };
  const inner = { ...place, x: place.x + padding.x, w: place.w - 2 * padding.x, y: place.y + padding.y, h: place.h - 2 * padding.y };
  const look: Look = { color, align, isTop: isMultiline, size: points || automatic };
  const printed = (text: string, over: Partial<Stamp> = {}): Stamp[] =>
    text.trim() === '' ? [] : [{ ...inner, isSignature: false, png: null, look, text, ...over }];
  if (kind === 'button') return printed(captionOf(dict), { look: { ...look, align: 'center' } });
  if (kind === 'list' && (flags & COMBO) === 0) return listed(dict, inner, { ...size, type: points || LARGEST_AUTOMATIC }, printed, look);
  if (kind !== 'text' && kind !== 'list') return [];
  const value = shownValues(dict).join('\n');
  const text = kind === 'text' && (flags & PASSWORD) !== 0 ? '*'.repeat(value.length) : value;
  const cells = kind === 'text' ? cellsOf(dict) : 0;
  return cells === 0 ? printed(text) : printed([...text].slice(0, cells).join(''), { x: place.x, w: place.w, cells });
}

/** The options of a list that is always open, as far as there is room, with those that are selected. */
function listed(
  dict: PDFDict,
  place: Place,
  { height, type }: Size & { type: number },
  printed: (text: string, over: Partial<Stamp>) => Stamp[],
  look: Look,
): Stamp[] {
  const selected = shownValues(dict);
  const h = Math.min(place.h, (place.h * type * LINE) / height);
  const options = optionsOf(dict).map(([, text]) => text);
  const first = numberOf(inherited(dict, 'TI'));
  const visible = options.slice(first, first + Math.floor(place.h / h));
  const isAllVisible = selected.every((text) => visible.includes(text));
  // a value that no option has, or that does not show, is printed nevertheless
  if (!isAllVisible) return printed(selected.join('\n'), { look: { ...look, isTop: true } });
  return visible.flatMap((text, index) =>
    printed(text, { y: place.y + index * h, h, look: { ...look, size: type, fill: selected.includes(text) ? SELECTED : undefined } }),
  );
}

function captionOf(dict: PDFDict): string {
  const look = dict.lookup(name('MK'));
  return (look instanceof PDFDict && textOf(look.lookup(name('CA')))) || '';
}

function numberOf(value: PDFObject | undefined): number {
  return value instanceof PDFNumber ? value.asNumber() : 0;
}

type Place = Pick<Stamp, 'page' | 'x' | 'y' | 'w' | 'h'>;
type Size = Pick<Box, 'width' | 'height'>;

const ALIGNMENTS = ['left', 'center', 'right'] as const;

/** The size of the type in points, 0 for one by the size of the field, and its color, from the operators of a default appearance. */
function typeOf(operators: string): [size: number, color: string] {
  const size = Number(/([\d.]+)\s+Tf\b/.exec(operators)?.[1] ?? 0);
  const [, numbers = '0'] = /((?:[\d.]+\s+)+)(?:g|rg|k)\b/.exec(operators) ?? [];
  return [Number.isFinite(size) ? size : 0, hexOf(numbers.trim().split(/\s+/).map(Number))];
}

function hexOf(parts: readonly number[]): string {
  const [c, m, y, k] = parts;
  const rgb = parts.length === 4 ? [c, m, y].map((ink) => (1 - ink) * (1 - k)) : parts.length === 3 ? parts : [c, c, c];
  const byte = (part: number) => Math.round(Math.min(1, Math.max(0, part || 0)) * 255);
  return `#${rgb.map((part) => byte(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Resources of the form by reference, so that its fonts are not copied for each field. */
export function defaultsOf(form: PDFDict, context: PDFContext): FormDefaults {
  const resources = form.get(name('DR'));
  return {
    needsAppearances: form.lookup(name('NeedAppearances'))?.toString() === 'true',
    resources: resources === undefined || resources instanceof PDFRef ? resources : context.register(resources),
    appearance: textOf(form.lookup(name('DA'))) ?? '',
  };
}
