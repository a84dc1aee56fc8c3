import { PLACED_KINDS, type Place, type PlacedField, type PlacedKind, type PlacedRules } from '../../model/core/placed-fields.js';

/*
 * {{#field address party=customer kind=text label="Delivery address" required}} is a place on the page that the party fills in when it
 * signs. Texts with spaces stand in double or single quotes. Rules are those of fields on uploaded files.
 */

/** A field of a template; `width` is that of its place, in points. */
export type TemplateField = Omit<PlacedField, keyof Place> & { width: number };

const FIELD = /^#field\s+(\S+)\s*/;
const ATTRIBUTE = /([a-z_]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?(?:\s+|$)/y;
const KEY = /^[a-z][a-z0-9_]{0,62}$/;
/** Keys of the places that tokens for signatures and days make. */
const TAKEN = /^(?:signature|date)_\d+$/;

/** Whether a place to sign in a template may have the key. */
export function isKeyOfPlace(key: string): boolean {
  return TAKEN.test(key);
}

const FLAGS = ['required', 'optional', 'read_only'];
/** The most characters of texts. */
const LONGEST: Readonly<Record<string, number>> = {
  party: 63,
  kind: 20,
  label: 100,
  hint: 200,
  default: 1_000,
  pattern: 200,
  min: 40,
  max: 40,
  options: 5_000,
  calculated: 1_000,
  shown_when: 1_000,
};
const NUMBERS: Readonly<Record<string, [least: number, most: number]>> = { max_length: [1, 1_000], decimals: [0, 6], width: [5, 150] };
const MOST_OPTIONS = 100;
const LONGEST_OPTION = 100;
const POINTS_PER_MM = 72 / 25.4;
/** In millimetres. */
const WIDTHS: Record<PlacedKind, number> = {
  signature: 70,
  initials: 17,
  date: 27,
  text: 50,
  number: 25,
  email: 50,
  entered_date: 27,
  checkbox: 4,
  choice: 40,
  list: 40,
};

export function isFieldToken(text: string): boolean {
  return /^#field(?:\s|$)/.test(text);
}

/** The field of a token, or a message if it is invalid. What depends on other fields is checked with all of them. */
export function readFieldToken(text: string, parties: readonly string[], isRepeated: boolean): TemplateField | string {
  if (isRepeated) return 'a field cannot stand in a section that is repeated, as its key is unique in the document';
  const start = FIELD.exec(text);
  const key = start?.[1] ?? '';
  if (!start || !KEY.test(key)) return 'a field needs a key of lower-case letters, digits and underscores: write {{#field key party=...}}';
  if (isKeyOfPlace(key)) return `${key} is the key of a place to sign; use another one`;
  const given = attributesOf(text.slice(start[0].length));
  if (typeof given === 'string') return given;
  const { party, kind = 'text', label = null, options, width, ...rest } = given;
  if (party === undefined) return 'a field needs the party that fills it in: write party=customer';
  if (!parties.includes(party)) return `${party} is not a party of signature_parties`;
  if (kind === 'signature') return `a signature has a token of its own: write {{#signature ${party}}}`;
  const found = PLACED_KINDS.find((one) => one === kind);
  if (!found) return `${kind} is not a kind of field: ${PLACED_KINDS.filter((one) => one !== 'signature').join(', ')}`;
  const listed = options === undefined ? [] : optionsOf(options);
  if (typeof listed === 'string') return listed;
  const { required, optional, read_only, max_length, decimals, ...texts } = rest;
  const rules: Partial<PlacedRules> = {
    ...texts,
    ...(read_only !== undefined && { read_only: true }),
    ...(max_length !== undefined && { max_length: Number(max_length) }),
    ...(decimals !== undefined && { decimals: Number(decimals) }),
    ...(listed.length > 0 && { options: listed }),
  };
  return {
    key,
    party,
    kind: found,
    label,
    required: optional === undefined && (required !== undefined || found !== 'checkbox'),
    ...rules,
    width: (width === undefined ? WIDTHS[found] : Number(width)) * POINTS_PER_MM,
  };
}

/** The attributes by name; a flag has its name as its value. */
function attributesOf(text: string): Record<string, string> | string {
  const attributes: Record<string, string> = {};
  ATTRIBUTE.lastIndex = 0;
  while (ATTRIBUTE.lastIndex < text.length) {
    const at = ATTRIBUTE.lastIndex;
    const [, name, inDouble, inSingle, bare] = ATTRIBUTE.exec(text) ?? [];
    if (name === undefined) return `${text.slice(at)} cannot be read: write name=value, with quotes around a value with spaces`;
    const value = inDouble ?? inSingle ?? bare;
    const problem = attributeProblem(name, value, Object.hasOwn(attributes, name));
    if (problem !== null) return problem;
    attributes[name] = value ?? name;
  }
  return attributes;
}

function attributeProblem(name: string, value: string | undefined, isRepeated: boolean): string | null {
  const [isText, isNumber] = [Object.hasOwn(LONGEST, name), Object.hasOwn(NUMBERS, name)];
  if (!isText && !isNumber && !FLAGS.includes(name))
    return `${name} is not a rule of fields: ${[...Object.keys(LONGEST), ...Object.keys(NUMBERS), ...FLAGS].join(', ')}`;
  if (isRepeated) return `${name} is written twice`;
  if (FLAGS.includes(name)) return value === undefined ? null : `${name} has no value: write ${name}`;
  if (value === undefined) return `${name} needs a value: write ${name}=...`;
  if (isText) return value.length > LONGEST[name] ? `${name} can have ${LONGEST[name]} characters` : null;
  const [least, most] = NUMBERS[name];
  const isWithin = /^\d{1,4}$/.test(value) && Number(value) >= least && Number(value) <= most;
  return isWithin ? null : `${name} must be a whole number from ${least} to ${most}`;
}

/** Options as `monthly: Every month, yearly: Every year`, or without labels. */
function optionsOf(text: string): PlacedRules['options'] | string {
  const options = text.split(',').map((one) => {
    const [value, ...label] = one.split(':').map((part) => part.trim().replace(/\s+/g, ' '));
    return { value, label: label.length > 0 ? label.join(': ') : null, place: null };
  });
  if (options.length > MOST_OPTIONS) return `options can list ${MOST_OPTIONS} values`;
  const wrong = options.find(
    ({ value, label }) => value === '' || label === '' || Math.max(value.length, label?.length ?? 0) > LONGEST_OPTION,
  );
  return wrong ? `options must be values of up to ${LONGEST_OPTION} characters: write options="monthly: Every month, yearly"` : options;
}
