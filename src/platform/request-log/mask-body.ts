import type { Type } from '@nestjs/common';
import { fieldsOf, isObject } from '../../kit/index.js';
import type { FieldSpec } from '../../kit/internal.js';
import { MASK, maskText } from './mask-text.js';

/** Names of fields whose text is a secret or personal: also ends of names, such as `guest_email`, `fullName` and `phone_number`. */
const PRIVATE = new RegExp(
  '(?:^|_)(?:' +
    'password|passwd|passwort|pwd|passcode|secret|token|(?:api|access|private)_?key|authorization|credentials?|cookie|headers|' +
    'otp|pin|cvc|cvv|link|' +
    'emails?|e_mail|recipients?|names?|address|iban|ssn|' +
    '(?:tele)?(?:phones?|fon)|mobile|mobil|fax|tel|(?:(?:tele)?phone|mobile|fax|card|account)_?(?:number|no|nr)' +
    ')$|^code$',
  'i',
);
const CAMEL = /(?<=[a-z\d])(?=[A-Z])|-/g;
const DEEPEST = 32;
/** In content without a schema, an integer of so many digits may be a phone number. */
const LARGEST_INTEGER = 999_999_999;

/**
 * A JSON body without secrets, passcodes, e-mail addresses, phone numbers and names. What the schema does not declare is masked as a
 * whole, because nothing is known about it; its name is masked as a text. `secrets` are members that are masked whatever their names.
 */
export function maskBody(body: unknown, dto: Type | null, secrets: readonly string[] = []): unknown {
  return dto === null ? maskAny(body, 0) : maskObject(body, dto, secrets, 0);
}

function maskObject(value: unknown, dto: Type, secrets: readonly string[], depth: number): unknown {
  if (!isObject(value) || depth > DEEPEST) return MASK;
  const fields = fieldsOf(dto);
  const masked = (name: string, member: unknown): unknown => {
    const spec = fields.get(name);
    if (member === null) return null;
    if (!spec || secrets.includes(name)) return MASK;
    return Array.isArray(member) ? member.map((item) => maskField(name, item, spec, depth)) : maskField(name, member, spec, depth);
  };
  // fromEntries instead of assignment, because a name may be __proto__
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [fields.has(name) ? name : maskText(name), masked(name, member)]),
  );
}

function maskField(name: string, value: unknown, spec: FieldSpec, depth: number): unknown {
  const type = spec.type?.();
  if (type) return maskObject(value, type, [], depth + 1);
  switch (spec.kind) {
    case 'email':
      return MASK;
    case 'string':
    case 'text_or_map':
    case 'map':
      return isPrivate(name) && !spec.values ? MASK : maskAny(value, depth + 1);
    default:
      // ids, numbers, times and the values of an enum
      return typeof value === 'object' ? MASK : typeof value === 'string' ? maskText(value) : value;
  }
}

/** For content without a schema, such as the fields of a document: masks by the names of members and the form of texts. */
function maskAny(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) return MASK;
  if (typeof value === 'string') return maskString(value, depth);
  if (Number.isInteger(value) && Math.abs(value as number) > LARGEST_INTEGER) return MASK;
  if (Array.isArray(value)) return value.map((item) => maskAny(item, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [maskText(name), isPrivate(name) && member !== null ? MASK : maskAny(member, depth + 1)]),
  );
}

/** JSON in a text is masked by the names of its members, too. */
function maskString(text: string, depth: number): string {
  if (!/^\s*[[{]/.test(text)) return maskText(text);
  try {
    return JSON.stringify(maskAny(JSON.parse(text), depth + 1));
  } catch {
    return maskText(text);
  }
}

function isPrivate(name: string): boolean {
  return PRIVATE.test(name.replace(CAMEL, '_'));
}

/** An error envelope: its codes contain no personal data, but its messages can quote the request. */
export function maskError(body: unknown): unknown {
  if (!isObject(body) || !isObject(body.error)) return maskAny(body, 0);
  const { code, details, ...rest } = body.error;
  const masked = { code, ...(maskAny(rest, 0) as object) };
  return { error: details === undefined ? masked : { ...masked, details: maskDetails(details) } };
}

function maskDetails(details: unknown): unknown {
  if (!Array.isArray(details)) return maskAny(details, 0);
  return details.map((detail: unknown) => {
    if (!isObject(detail)) return maskAny(detail, 0);
    const { code, ...rest } = detail;
    return { ...(code !== undefined && { code }), ...(maskAny(rest, 0) as object) };
  });
}
