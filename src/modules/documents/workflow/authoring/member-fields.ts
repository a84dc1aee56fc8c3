import { CommonErrors, isObject, type Ctx, type ErrorDetail, type Member, type Members } from '../../../../kit/index.js';
import type { FieldProperty, FieldSchema } from '../../model/core/field-schema.js';

/** Addresses that are looked up one by one. */
const LOOKED_UP = 10;

/**
 * Rejects values with the x-format `user` that are not the address of an active member. Values that a document had `before` stay
 * valid when the member leaves.
 */
export async function requireMemberFields(
  ctx: Ctx,
  members: Members,
  { properties }: FieldSchema,
  values: Record<string, unknown>,
  before: Record<string, unknown> = {},
): Promise<void> {
  const known = new Set(addressesIn(properties, before).map(({ email }) => email));
  const given = addressesIn(properties, values).filter(({ email }) => !known.has(email));
  if (given.length === 0) return;
  const active = new Set((await activeMembers(ctx, members, new Set(given.map(({ email }) => email)))).map(({ email }) => email));
  const details = given
    .filter(({ email }) => !active.has(email))
    .map(({ path, email }): ErrorDetail => {
      const param = `data_values.${path}`;
      return { param, code: 'invalid_value', message: `${param} names ${email}, who is not an active member` };
    });
  if (details.length > 0) throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, details });
}

/** Of the active members, those with these addresses. Reading many one by one would take longer than reading all members at once. */
async function activeMembers(ctx: Ctx, members: Members, emails: ReadonlySet<string>): Promise<Member[]> {
  if (emails.size > LOOKED_UP) return (await members.list(ctx)).filter(({ status }) => status === 'active');
  return (await Promise.all([...emails].map((email) => members.byEmail(ctx, email)))).filter((member) => member !== null);
}

function addressesIn(
  properties: Record<string, FieldProperty>,
  values: Record<string, unknown>,
  at = '',
): { path: string; email: string }[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const path = `${at}${name}`;
    if (property.type === 'array')
      return (Array.isArray(value) ? (value as unknown[]) : []).flatMap((row, index) =>
        isObject(row) ? addressesIn(property.items.properties, row, `${path}.${index}.`) : [],
      );
    return property['x-format'] === 'user' && typeof value === 'string' ? [{ path, email: value }] : [];
  });
}
