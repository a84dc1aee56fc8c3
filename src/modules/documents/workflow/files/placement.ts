import { CommonErrors, type DomainError } from '../../../../kit/index.js';
import type { FoundText, TextSearch } from '../../engine/pictures/pdfium.js';
import { type DocumentFile } from '../../model/records/document-file.entity.js';
import {
  PLACED_KINDS,
  type FieldAnchor,
  type FormField,
  type FormLook,
  type Place,
  type PlacedField,
  type PlacedValue,
} from '../../model/core/placed-fields.js';
import { longestOf, tidied } from '../../model/placed/placed-values.js';
import type { PlacedFieldDto, PlacedValueDto } from './placed-fields.dto.js';
import type { FieldAnchorDto } from './places.dto.js';

/** A field with its place, before its own rules are applied. */
export type FieldWithPlace = Omit<PlacedFieldDto, keyof Place | 'kind' | 'anchor' | 'form_field'> &
  Place &
  Required<Pick<PlacedField, 'kind' | 'anchor' | 'form_field'>> &
  Pick<PlacedField, FormLook>;

/** What a form field gives a field besides its place. */
type Given = Partial<Pick<PlacedFieldDto, 'kind' | 'label' | 'required' | 'default' | 'max_length' | 'options'>> &
  Pick<PlacedField, FormLook>;

/** The places of each text in the file. */
export type FindTexts = (searches: readonly TextSearch[]) => Promise<readonly FoundText[][]>;

/** An anchor with more places needs a page. */
export const MOST_OCCURRENCES = 1_000;
const LONGEST_LABEL = 100;
/** What is computed from a position that was read back may differ from it by a rounding error. */
const TOLERANCE = 1e-6;

type PlaceInput = Pick<PlacedFieldDto, keyof Place | 'kind' | 'anchor' | 'form_field'>;

export async function withPlaces(
  given: readonly PlacedFieldDto[],
  file: Pick<DocumentFile, 'form_fields'>,
  find: FindTexts,
): Promise<FieldWithPlace[]> {
  const places = await placesOf(given, 'fields', file, find);
  return given.map((field, index) => {
    const { anchor, form_field, ...place } = places[index];
    const kind = field.kind ?? place.kind;
    if (kind === undefined) throw problem(`fields.${index}`, 'kind', 'is required', PLACED_KINDS);
    return { ...place, ...field, ...placeOf(place), kind, anchor, form_field };
  });
}

export async function valuesWithPlaces(
  given: readonly PlacedValueDto[],
  file: Pick<DocumentFile, 'form_fields'>,
  find: FindTexts,
): Promise<PlacedValue[]> {
  const places = await placesOf(given, 'values', file, find);
  return given.map(({ data_field }, index) => {
    const { anchor, form_field, ...place } = places[index];
    return {
      data_field,
      ...placeOf(place),
      anchor,
      form_field,
      ...(place.multiline && { multiline: true }),
      frame: place.frame,
      cells: place.cells,
    };
  });
}

/** Finds out where fields stand: each by exactly one of coordinates, a text of the file and a form field. `at`: the path of their list. */
async function placesOf(
  given: readonly PlaceInput[],
  at: string,
  file: Pick<DocumentFile, 'form_fields'>,
  find: FindTexts,
): Promise<(Place & Given & Required<Pick<PlacedField, 'anchor' | 'form_field'>>)[]> {
  const anchors = given.map(({ anchor }) => (anchor ? anchorOf(anchor) : null));
  const searches = anchors.filter((anchor) => anchor !== null);
  const found = searches.length > 0 ? await find(searches.map(({ text, page }) => ({ text, page }))) : [];
  return given.map((field, index) => {
    const path = `${at}.${index}`;
    const anchor = anchors[index];
    const { form_field = null } = field;
    if (anchor && form_field !== null) throw problem(path, 'form_field', 'must be left out with anchor');
    const place: Place & Given = anchor
      ? atText(path, field, anchor, found[searches.indexOf(anchor)])
      : form_field !== null
        ? inFormField(path, field, form_field, file)
        : atCoordinates(path, field);
    return { ...place, anchor, form_field };
  });
}

type Kept = Place & Pick<PlacedField, 'anchor' | 'form_field' | 'options' | FormLook>;

/** The fields that have a place in the file that replaces theirs; those of a text or a form field stand where it has them. */
export async function keptFields<F extends Kept>(
  fields: readonly F[],
  file: Pick<DocumentFile, 'form_fields' | 'page_texts'>,
  find: FindTexts,
): Promise<F[]> {
  const anchors = fields.flatMap(({ anchor }) => anchor ?? []);
  const found = anchors.length > 0 ? await find(anchors.map(({ text, page }) => ({ text, page }))) : [];
  return fields.flatMap((field) => moved(field, file, field.anchor ? found[anchors.indexOf(field.anchor)] : []) ?? []);
}

/** The field where it stands in the file; null if it has no place there. */
function moved<F extends Kept>(
  field: F,
  { form_fields, page_texts }: Pick<DocumentFile, 'form_fields' | 'page_texts'>,
  found: readonly FoundText[],
): F | null {
  const { anchor, form_field, options = [] } = field;
  if (anchor) {
    const text = anchor.occurrence === null && found.length > 1 ? undefined : found.at((anchor.occurrence ?? 1) - 1);
    return text ? onPage({ ...field, page: text.page, x: text.x + anchor.dx, y: text.y + anchor.dy }) : null;
  }
  if (form_field) {
    const same = form_fields.filter(({ name }) => name === form_field);
    const place = same.length > 0 ? formPlace(same) : null;
    const buttons = options.map((option) => {
      const button = option.place && same.find((one) => one.option !== null && oneLine(one.option) === option.value);
      return { ...option, place: button ? placeOf(button) : null };
    });
    const areAll = buttons.every((button, index) => (button.place === null) === (options[index].place === null));
    return place && areAll ? { ...field, ...place, options: buttons, ...formLookOf(same[0]) } : null;
  }
  const last = Math.max(field.page, ...options.map((option) => option.place?.page ?? 1));
  return last <= page_texts.length ? field : null;
}

function onPage<F extends Place>(field: F): F | null {
  const { x, y, w, h } = field;
  return x >= 0 && y >= 0 && x + w <= 1 + TOLERANCE && y + h <= 1 + TOLERANCE ? field : null;
}

function placeOf({ page, x, y, w, h }: Place): Place {
  return { page, x, y, w, h };
}

function anchorOf({ text, occurrence = null, page = null, dx = 0, dy = 0 }: FieldAnchorDto): FieldAnchor {
  return { text, occurrence, page, dx, dy };
}

function atCoordinates(path: string, { page, x, y, w, h }: PlaceInput): Place {
  const place = { page, x, y, w, h };
  const missing = (Object.keys(place) as (keyof Place)[]).find((name) => place[name] === undefined);
  if (missing !== undefined)
    throw CommonErrors.missingFields({
      param: `${path}.${missing}`,
      message: `${path}.${missing} is required: a field is placed by page, x, y, w and h, by anchor, w and h, or by form_field`,
    });
  return place as Place;
}

function atText(path: string, field: PlaceInput, anchor: FieldAnchor, found: readonly FoundText[]): Place {
  const { w, h } = field;
  for (const [name, size] of Object.entries({ w, h }))
    if (size === undefined)
      throw CommonErrors.missingFields({ param: `${path}.${name}`, message: `${path}.${name} is required with anchor` });
  const text = textPlace(path, anchor, found);
  const place = { page: text.page, x: text.x + anchor.dx, y: text.y + anchor.dy, w: w as number, h: h as number };
  for (const [name, offset] of [
    ['x', 'dx'],
    ['y', 'dy'],
  ] as const)
    if (place[name] < 0) throw problem(path, `anchor.${offset}`, 'places the field outside of the page');
  requireSame(path, field, place, 'anchor');
  return place;
}

function textPlace(path: string, { occurrence, page }: FieldAnchor, found: readonly FoundText[]): FoundText {
  const where = page === null ? 'in the file' : `on page ${page}`;
  if (found.length === 0) throw problem(path, 'anchor.text', `was not found ${where}`);
  if (occurrence === null && found.length > 1)
    throw problem(
      path,
      'anchor.occurrence',
      `is required: the text stands ${where} ${found.length === MOST_OCCURRENCES ? 'at least ' : ''}${found.length} times, ` +
        `on the pages ${[...new Set(found.map((one) => one.page))].slice(0, 20).join(', ')}`,
    );
  const chosen = found.at((occurrence ?? 1) - 1);
  if (!chosen) throw problem(path, 'anchor.occurrence', `must be at most ${found.length}: the text stands ${where} ${found.length} times`);
  return chosen;
}

function inFormField(path: string, field: PlaceInput, name: string, { form_fields }: Pick<DocumentFile, 'form_fields'>): Place & Given {
  const found = form_fields.filter((one) => one.name === name);
  if (found.length === 0) {
    const names = [...new Set(form_fields.map((one) => one.name))];
    throw problem(path, 'form_field', 'is not the name of a form field of the file', names.length <= 100 ? names : undefined);
  }
  const place = formPlace(found);
  if (!place)
    throw problem(path, 'form_field', 'stands in several places of the file; place a field at one of them by page, x, y, w and h');
  requireSame(path, field, place, 'form_field');
  const [first] = found;
  const kind = field.kind ?? PLACED_KINDS.find((one) => one === first.kind);
  return { ...place, kind, ...formLookOf(first), ...(kind === first.kind ? rulesOf(found) : {}) };
}

function formLookOf({ multiline, frame, cells }: FormField): Pick<FormField, FormLook> {
  return { multiline, frame, cells };
}

/** The place of a field that stands in one place, or of the buttons of a choice. */
function formPlace(found: readonly FormField[]): Place | null {
  const [first, ...others] = found;
  if (others.length === 0) return placeOf(first);
  if (first.kind !== 'choice' || others.some(({ page }) => page !== first.page)) return null;
  const [x, y] = [Math.min(...found.map((one) => one.x)), Math.min(...found.map((one) => one.y))];
  const [right, bottom] = [Math.max(...found.map((one) => one.x + one.w)), Math.max(...found.map((one) => one.y + one.h))];
  return { page: first.page, x, y, w: right - x, h: bottom - y };
}

/** What the file says about a form field of the same kind. */
function rulesOf([first, ...others]: readonly FormField[]): Given {
  const { kind, value, option, options, required, max_length, multiline = false } = first;
  if (kind === 'signature') return {};
  const rules = { label: first.name.split('.').at(-1)?.slice(0, LONGEST_LABEL), required };
  const standard = value === null ? null : tidied(value, kind === 'text' && multiline) || null;
  if (kind === 'text')
    return {
      ...rules,
      max_length,
      default: standard !== null && standard.length <= longestOf({ kind, max_length, multiline }) ? standard : null,
    };
  if (kind === 'checkbox') return { ...rules, default: value === null ? null : 'true' };
  if (kind === 'list') return { ...rules, default: standard, options: options.map((one) => ({ value: oneLine(one) })) };
  const buttons = [first, ...others].flatMap((button) =>
    button.option === null ? [] : { value: oneLine(button.option), place: placeOf(button) },
  );
  return { ...rules, default: option === null ? null : standard, options: buttons };
}

function oneLine(text: string): string {
  return tidied(text, false);
}

/** A field that was read has its position beside what determines it, so it may be sent back, but not with another position. */
function requireSame(path: string, given: PlaceInput, place: Place, by: string): void {
  for (const name of Object.keys(place) as (keyof Place)[])
    if (given[name] !== undefined && Math.abs(given[name] - place[name]) > TOLERANCE)
      throw problem(path, name, `must be left out with ${by}, which places the field at ${place[name]}`);
}

function problem(path: string, name: string, message: string, allowed?: readonly string[]): DomainError {
  return CommonErrors.validationFailed({ param: `${path}.${name}`, message: `${path}.${name} ${message}`, allowed });
}
