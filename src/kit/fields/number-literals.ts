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

/** Remembers how a member was written for the object that its value is copied to. */
export function keepLiteral(from: object, member: string, to: object, name = member): void {
  const literal = literals.get(from)?.get(member);
  if (literal !== undefined) rememberLiteral(to, name, literal);
}

type Schema = Readonly<Record<string, unknown>>;

/** Values of a JSON Schema with the integers as they were written, so that the schema refuses 120.00. Copies the objects and lists. */
export function asWritten(schema: Schema, values: Record<string, unknown>): Record<string, unknown> {
  return writtenBy(schema, values) as Record<string, unknown>;
}

function writtenBy(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const of = (member: string, inner: unknown, item: unknown) =>
    !isSchema(inner) ? item : inner.type === 'integer' ? writtenValue(value, member, item) : writtenBy(inner, item);
  if (Array.isArray(value)) return value.map((item: unknown, index) => of(String(index), schema.items, item));
  const properties = isSchema(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, of(name, Object.hasOwn(properties, name) ? properties[name] : undefined, item)]),
  );
}

function isSchema(schema: unknown): schema is Schema {
  return typeof schema === 'object' && schema !== null;
}
