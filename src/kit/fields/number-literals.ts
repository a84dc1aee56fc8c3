/** By object or array: the members that were written with a decimal point or an exponent although their value is whole. */
const literals = new WeakMap<object, Map<string, string>>();

/**
 * Remembers how a number was written in JSON, such as `120.00`, which `JSON.parse` makes 120. The engine of fields refuses it for an
 * integer as it refuses the text "120.00": many clients write an amount in major units so.
 */
export function rememberLiteral(container: object, member: string, literal: string): void {
  let members = literals.get(container);
  if (!members) literals.set(container, (members = new Map()));
  members.set(member, literal);
}

/** The member as it was written, if that is not as an integer is written; otherwise its value. */
export function writtenValue(container: object, member: string, value: unknown): unknown {
  return literals.get(container)?.get(member) ?? value;
}
