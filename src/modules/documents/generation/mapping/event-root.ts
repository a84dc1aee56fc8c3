type Json = Record<string, unknown>;

/**
 * What paths of an event reach into: the members of its object, and under the first word of its type the object itself, so
 * that `amount` and `deal.amount` are the same of `deal.won`. A member of that very name adds its own members there:
 * `form.slug` and `form.answers` are both found of `form.submitted`, and a payload may be sent wrapped or bare. What has a
 * title and no name is also found by `name`.
 */
export function eventRoot(type: string, object: Json): Json {
  const [noun] = type.split('.');
  const own = Object.hasOwn(object, noun) && isObject(object[noun]) ? object[noun] : {};
  const members = { ...object, ...own };
  const name = !Object.hasOwn(members, 'name') && Object.hasOwn(members, 'title') ? { name: members.title } : {};
  return { ...object, [noun]: { ...name, ...members } };
}

/** Names of members, joined by dots; a number is a place in a list, from 0. */
export const PATH = /^[A-Za-z_]\w*(\.\w+)*$/;
export const LONGEST_PATH = 200;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
