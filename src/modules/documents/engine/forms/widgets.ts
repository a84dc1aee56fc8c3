import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFDocument, type PDFObject, type PDFPage } from '@cantoo/pdf-lib';
import type { Box } from '../stamping/page-box.js';
import { chainOf, inherited, itemsOf, numberIn, textOf } from '../updates/pdf-objects.js';
import type { FormField } from '../../model/core/placed-fields.js';

/** A place where a form field stands on a page (ISO 32000-1, 12.5.6.19). */
export interface Widget {
  page: PDFPage;
  /** From 1. */
  pageNumber: number;
  /** As the page lists it. */
  entry: PDFObject;
  dict: PDFDict;
  /** Null if its field has no type that is known. */
  kind: FormField['kind'] | null;
  isShown: boolean;
  /** With the names of the groups, joined by dots. */
  name: string;
}

const HIDDEN = 1 << 1;
const NO_VIEW = 1 << 5;
const PUSH_BUTTON = 1 << 16;
const RADIO = 1 << 15;
const MULTILINE = 1 << 12;
const COMB = 1 << 24;
const MOST_CELLS = 500;

const name = (text: string) => PDFName.of(text);

/**
 * All widgets in the order of the pages. They are looked for on the pages, because viewers show those that the form does not list, too,
 * and none of those that no page lists.
 */
export function widgetsOf(document: PDFDocument): Widget[] {
  return document.getPages().flatMap((page, index) =>
    (page.node.Annots()?.asArray() ?? []).flatMap((entry): Widget[] => {
      const dict = document.context.lookup(entry);
      if (!(dict instanceof PDFDict) || dict.lookup(name('Subtype')) !== name('Widget')) return [];
      const isShown = (numberIn(dict, 'F') & (HIDDEN | NO_VIEW)) === 0;
      return [{ page, pageNumber: index + 1, entry, dict, kind: kindOf(dict), isShown, name: nameOf(dict) }];
    }),
  );
}

function kindOf(dict: PDFDict): FormField['kind'] | null {
  const type = inherited(dict, 'FT');
  if (type === name('Tx')) return 'text';
  if (type === name('Ch')) return 'list';
  if (type === name('Sig')) return 'signature';
  if (type !== name('Btn')) return null;
  if ((flagsOf(dict) & PUSH_BUTTON) !== 0) return 'button';
  return (flagsOf(dict) & RADIO) === 0 ? 'checkbox' : 'choice';
}

export function flagsOf(dict: PDFDict): number {
  const flags = inherited(dict, 'Ff');
  return flags instanceof PDFNumber ? flags.asNumber() : 0;
}

/** Cells of a text field, each for a character; 0 for one without. */
export function cellsOf(dict: PDFDict): number {
  const flags = flagsOf(dict);
  const most = inherited(dict, 'MaxLen');
  if ((flags & COMB) === 0 || (flags & MULTILINE) !== 0 || !(most instanceof PDFNumber)) return 0;
  return Math.min(Math.max(0, Math.floor(most.asNumber())), MOST_CELLS);
}

function nameOf(dict: PDFDict): string {
  return chainOf(dict)
    .map((one) => textOf(one.lookup(name('T'))))
    .filter((part) => part !== null)
    .reverse()
    .join('.');
}

/** The width of the line around a widget, in points (ISO 32000-1, tables 164 and 166). */
export function borderWidth(dict: PDFDict): number {
  const [style, old] = [dict.lookup(name('BS')), dict.lookup(name('Border'))];
  const width = style instanceof PDFDict ? style.lookup(name('W')) : old instanceof PDFArray ? itemsOf(old)[2] : undefined;
  return width instanceof PDFNumber ? width.asNumber() : 1;
}

/** The width of the frame of a widget: a beveled or inset one has two lines. */
export function frameOf(dict: PDFDict): number {
  const border = dict.lookup(name('BS'));
  const style = border instanceof PDFDict ? border.lookup(name('S')) : undefined;
  return Math.max(0, borderWidth(dict)) * (style === name('B') || style === name('I') ? 2 : 1);
}

/** The box of a widget in the coordinates of its page; null if it has no area. */
export function boxOf(dict: PDFDict): Box | null {
  const corners = dict.lookup(name('Rect'));
  const numbers = corners instanceof PDFArray ? itemsOf(corners) : [];
  if (numbers.length !== 4 || !numbers.every((corner) => corner instanceof PDFNumber)) return null;
  const [left, bottom, right, top] = numbers.map((corner) => corner.asNumber());
  const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)];
  return width > 0 && height > 0 ? { x: Math.min(left, right), y: Math.min(bottom, top), width, height } : null;
}

/** The states of a checkbox or choice, besides that in which nothing is selected. */
export function statesOf(dict: PDFDict): string[] {
  const appearances = dict.lookup(name('AP'));
  const normal = appearances instanceof PDFDict ? appearances.lookup(name('N')) : undefined;
  if (!(normal instanceof PDFDict)) return [];
  return normal
    .keys()
    .map((key) => key.decodeText())
    .filter((state) => state !== 'Off');
}

/** Options as export value and text. */
export function optionsOf(dict: PDFDict): [value: string, text: string][] {
  const options = inherited(dict, 'Opt');
  if (!(options instanceof PDFArray)) return [];
  return itemsOf(options).map((option) => {
    if (!(option instanceof PDFArray)) return [textOf(option) ?? '', textOf(option) ?? ''];
    const [value, text] = [textOf(option.lookup(0)) ?? '', textOf(option.lookup(1))];
    return [value, text ?? value];
  });
}
