/** The members that are not undefined, such as the fields that a PATCH sent. Null stays: it clears a field. */
export function definedOf<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
