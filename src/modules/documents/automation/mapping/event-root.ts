import { isObject } from '../../../../kit/index.js';
type Json = Record<string, unknown>;

/**
 * The object that source paths are resolved against: the members of the event's object and, under the first word of the event
 * type, the object itself, so that `amount` and `deal.amount` are the same for `deal.won`. If the object has a member of that
 * name, its members are merged in: `form.slug` and `form.answers` both resolve for `form.submitted`, and a payload may be
 * wrapped or bare.
 * An object with a title but no name also resolves `name`.
 */
export function eventRoot(type: string, object: Json): Json {
  const [noun] = type.split('.');
  const own = Object.hasOwn(object, noun) && isObject(object[noun]) ? object[noun] : {};
  const members = { ...object, ...own };
  const name = !Object.hasOwn(members, 'name') && Object.hasOwn(members, 'title') ? { name: members.title } : {};
  return { ...object, [noun]: { ...name, ...members } };
}

/** Member names joined by dots; a number is a zero-based list index. */
export const PATH = /^[A-Za-z_]\w*(\.\w+)*$/;
export const LONGEST_PATH = 200;
