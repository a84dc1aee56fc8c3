/**
 * The members that are not undefined, such as the fields that a PATCH sent. Null stays: it clears a field.
 *
 * @example
 * ```ts
 * import { definedOf } from 'work-suite/kit';
 *
 * const changes = definedOf({ title: 'Minutes', body: undefined }); // { title: 'Minutes' }
 * ```
 */
export function definedOf<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
