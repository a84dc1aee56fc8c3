/** Turns the texts of a row into an object, with the parser of each column. */
export interface RowConstructor {
  new (texts: readonly (string | null)[], parsers: readonly ((text: string) => unknown)[]): object;
  prototype: object;
}

/** By the prototype of the rows and their columns: connections share them, so that rows of one statement have one hidden class. */
const known = new WeakMap<object, Map<string, RowConstructor>>();

/**
 * A constructor that is compiled for a statement's columns. pg sets each column by its name, which takes three times as long, and giving
 * a row another prototype later takes as long again.
 */
export function rowConstructor(columns: readonly string[], prototype: object): RowConstructor {
  let constructors = known.get(prototype);
  if (!constructors) known.set(prototype, (constructors = new Map()));
  const names = columns.map((column) => JSON.stringify(column));
  const key = names.join();
  let constructor = constructors.get(key);
  if (!constructor) constructors.set(key, (constructor = compile(names, prototype)));
  return constructor;
}

function compile(names: readonly string[], prototype: object): RowConstructor {
  const assignments = names.map((name, at) => `text = texts[${at}]; this[${name}] = text === null ? null : parsers[${at}](text);`);
  // the names are quoted, so none is code
  const row = new Function('texts', 'parsers', `let text; ${assignments.join('\n')}`) as unknown as RowConstructor;
  row.prototype = prototype;
  return row;
}
