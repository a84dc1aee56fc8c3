import { isObject } from '../values/is-object.js';
import { ConfigError } from '../settings/config-error.js';
import { settingsOf } from '../settings/module-settings.js';

/** What a member of a manifest is. */
export interface Member {
  /** What it must be, with an example. */
  readonly expected: string;
  readonly isRequired?: true;
  fits(value: unknown): boolean;
  /** Of a list, or of the values of an object. */
  readonly entry?: Pick<Member, 'fits'>;
}

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
const isClass = (value: unknown) => typeof value === 'function';
const isThere = (value: unknown) => value !== undefined && value !== null;

const list = (expected: string, fits: (value: unknown) => boolean): Member => ({ expected, fits: Array.isArray, entry: { fits } });
const record = (expected: string, fits: (value: unknown) => boolean): Member => ({ expected, fits: isObject, entry: { fits } });

export const text = (example: string): Member => ({ expected: `a text, such as '${example}'`, fits: isText });
export const classes = (example: string): Member => list(`a list of classes, such as [${example}]`, isClass);
export const texts = (example: string): Member => list(`a list of texts, such as ['${example}']`, isText);
export const objects = (example: string): Member => list(`a list of objects, such as [${example}]`, isObject);
export const anything = (example: string): Member => list(`a list, such as [${example}]`, isThere);
export const namedTexts = (example: string): Member => record(`an object of texts, such as ${example}`, isText);
export const named = (what: string): Member => record(`an object of ${what}`, (value) => isObject(value) || isClass(value));
export const namedLists = (what: string): Member => record(`an object of lists of ${what}`, Array.isArray);
export const oneClass = (example: string): Member => ({ expected: `a class, such as ${example}`, fits: isClass });
export const object = (example: string): Member => ({ expected: `an object, such as ${example}`, fits: isObject });
export const textOrObject = (example: string): Member => ({
  expected: `a text or an object, such as ${example}`,
  fits: (value) => isText(value) || isObject(value),
});
export const settingsClasses: Member = list(
  'a list of classes that extend moduleSettings({ ... }), such as [FleetSettings]',
  (value) => settingsOf(value) !== undefined,
);
export const required = (member: Member): Member => ({ ...member, isRequired: true });

/**
 * Checks what the compiler would find in a manifest, but not in one that is written in JavaScript, made from spread objects, or run in
 * spite of the compiler.
 * @throws ConfigError naming the module, the member, what it must be, and the file
 */
export function requireMembers(declared: object, members: Readonly<Record<string, Member>>, place: string): void {
  const { name } = declared as { name?: unknown };
  for (const [key, member] of Object.entries(members)) {
    const problem = problemOf(key, (declared as Record<string, unknown>)[key], member);
    if (problem === null) continue;
    const module = isText(name) ? `The module ${String(name)}` : 'A module';
    throw new ConfigError(`${module} is declared incorrectly: ${problem}${place}.`);
  }
}

function problemOf(key: string, value: unknown, { expected, isRequired, fits, entry }: Member): string | null {
  if (value === undefined) return isRequired ? `the manifest has no ${key}, which must be ${expected}` : null;
  if (!fits(value)) return `${key} must be ${expected}, but is ${described(value)}`;
  if (!entry) return null;
  const wrong = Object.entries(value as object).find(([, one]) => !entry.fits(one));
  if (!wrong) return null;
  const [at, one] = wrong;
  const reason = one === undefined ? ': if it is imported, two files may import each other' : '';
  return `${key} must be ${expected}, but ${Array.isArray(value) ? `entry ${Number(at) + 1}` : at} is ${described(one)}${reason}`;
}

function described(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'a function' : value.name;
  if (typeof value === 'string') return value === '' ? 'empty' : `the text '${value}'`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
