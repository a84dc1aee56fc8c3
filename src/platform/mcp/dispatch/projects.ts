import { isObject } from '../../../kit/index.js';
import type { Json } from '../protocol/protocol.js';

/** Of a project, in any case; `none` names those of no project. */
const KEY = /^(?!none$)[A-Z][A-Z0-9]{1,9}$/i;

/** The keys that stand where the id of a project is expected. `paths` are the places of such ids in the input. */
export function projectKeysIn(args: Json, paths: readonly string[]): string[] {
  const found = new Set<string>();
  replaceProjects(args, paths, (key) => {
    found.add(key);
    return undefined;
  });
  return [...found];
}

/** Whether it looks like the key of a project. */
function isProjectKey(text: string): boolean {
  return KEY.test(text);
}

/** Replaces keys of projects in place. What is the key of no project stays, so that the route refuses it. */
export function replaceProjects(args: Json, paths: readonly string[], idOf: (key: string) => string | undefined): void {
  const replaced = (text: string): string => {
    const parts = text.split(',').map((part) => part.trim());
    const ids = parts.map((part) => (isProjectKey(part) ? (idOf(part.toUpperCase()) ?? part) : part));
    return ids.every((id, at) => id === parts[at]) ? text : ids.join(',');
  };
  const visit = (at: unknown, [name, ...inner]: readonly string[]): void => {
    if (Array.isArray(at)) for (const item of at) visit(item, [name!, ...inner]);
    if (!isObject(at) || !Object.hasOwn(at, name!)) return;
    const value = at[name!];
    if (inner.length > 0) visit(value, inner);
    else if (typeof value === 'string') at[name!] = replaced(value);
    else if (Array.isArray(value)) at[name!] = value.map((item: unknown) => (typeof item === 'string' ? replaced(item) : item));
  };
  for (const path of paths) visit(args, path.split('.'));
}
