import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFDocument } from '@cantoo/pdf-lib';
import type { FormField } from '../../model/core/placed-fields.js';
import { onShown, shownPage, type ShownPage } from '../stamping/page-box.js';
import { fieldOf, inherited, itemsOf, textOf } from '../updates/pdf-objects.js';
import { boxOf, cellsOf, flagsOf, frameOf, optionsOf, statesOf, widgetsOf, type Widget } from './widgets.js';

const MULTILINE = 1 << 12;
const READ_ONLY = 1 << 0;
const REQUIRED = 1 << 1;
const PASSWORD = 1 << 13;
export const MOST_FORM_FIELDS = 5_000;
const LONGEST_NAME = 500;
const LONGEST_VALUE = 5_000;
const MOST_OPTIONS = 1_000;

/** The form fields that viewers show; a field that stands in several places is listed for each. */
export function formFieldsOf(document: PDFDocument): FormField[] {
  const pages = document.getPages().map(shownPage);
  return widgetsOf(document).flatMap((widget) => {
    const { kind, isShown, pageNumber } = widget;
    const page = pages[pageNumber - 1];
    const place = page && placeOf(widget.dict, page);
    if (!place || !kind || !isShown) return [];
    const flags = flagsOf(widget.dict);
    const longest = inherited(widget.dict, 'MaxLen');
    return [
      {
        name: storable(widget.name).slice(0, LONGEST_NAME),
        kind,
        page: pageNumber,
        ...place,
        ...choiceOf(widget),
        required: (flags & REQUIRED) !== 0,
        read_only: (flags & READ_ONLY) !== 0,
        multiline: kind === 'text' && (flags & MULTILINE) !== 0,
        max_length: kind === 'text' && longest instanceof PDFNumber && longest.asNumber() > 0 ? longest.asNumber() : null,
        frame: frameOf(widget.dict),
        ...(kind === 'text' && cellsOf(widget.dict) > 0 && { cells: cellsOf(widget.dict) }),
      },
    ];
  });
}

/** The place of a widget as fractions of the page as it is shown; null if it has no area there. */
export function placeOf(dict: PDFDict, page: ShownPage): Pick<FormField, 'x' | 'y' | 'w' | 'h'> | null {
  const box = boxOf(dict);
  if (!box) return null;
  const [one, other] = [onShown(page, box.x, box.y), onShown(page, box.x + box.width, box.y + box.height)];
  const within = (value: number) => Math.min(1, Math.max(0, value));
  const [x, y] = [within(Math.min(one.x, other.x)), within(Math.min(one.y, other.y))];
  const [w, h] = [within(Math.max(one.x, other.x)) - x, within(Math.max(one.y, other.y)) - y];
  return w > 0 && h > 0 ? { x, y, w, h } : null;
}

function choiceOf({ dict, kind }: Widget): Pick<FormField, 'value' | 'options' | 'option'> {
  const texts = (list: readonly string[]) => [...new Set(list.map(valueText))].slice(0, MOST_OPTIONS);
  if (kind === 'checkbox' || kind === 'choice') {
    const named = optionsOf(dict).map(([value]) => value);
    // a state can be the index of its option
    const label = (state: string) => (/^\d+$/.test(state) ? (named[Number(state)] ?? state) : state);
    const [state] = statesOf(dict);
    const selected = textOf(kind === 'checkbox' ? dict.lookup(PDFName.of('AS')) : inherited(dict, 'V'));
    return {
      value: selected === null || selected === 'Off' ? null : valueText(label(selected)),
      options: kind === 'choice' ? texts(placesOf(dict).flatMap(statesOf).map(label)) : [],
      option: state === undefined ? null : valueText(label(state)),
    };
  }
  const isSecret = kind === 'text' && (flagsOf(dict) & PASSWORD) !== 0;
  if (kind !== 'list') return { value: kind === 'text' && !isSecret ? shownText(dict) : null, options: [], option: null };
  return { value: shownText(dict), options: texts(optionsOf(dict).map(([, text]) => text)), option: null };
}

/** All places of the field to which a widget belongs. */
function placesOf(dict: PDFDict): PDFDict[] {
  const kids = fieldOf(dict).lookup(PDFName.of('Kids'));
  if (!(kids instanceof PDFArray)) return [dict];
  return itemsOf(kids).filter((place) => place instanceof PDFDict);
}

/** What a text field or list shows; null if nothing. */
function shownText(dict: PDFDict): string | null {
  const text = shownValues(dict).join(', ');
  return text === '' ? null : valueText(text);
}

/** The value of a text field, with line feeds as line breaks, or the texts of what is selected in a list. */
export function shownValues(dict: PDFDict): string[] {
  const value = inherited(dict, 'V');
  const list = value instanceof PDFArray ? itemsOf(value) : [value];
  const texts = new Map(optionsOf(dict));
  return list.flatMap((one) => {
    const text = textOf(one);
    return text === null ? [] : [(texts.get(text) ?? text).replace(/\r\n?/g, '\n')];
  });
}

function valueText(text: string): string {
  return storable(text).slice(0, LONGEST_VALUE).toWellFormed();
}

/** PostgreSQL stores no NUL. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '');
}
