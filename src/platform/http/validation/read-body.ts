import { isUtf8 } from 'node:buffer';
import { CommonErrors, type DomainError } from '../../../kit/index.js';
import { MOST_VALUES, parseJson, UnacceptableJson } from './parse-json.js';

const FORM_NAME = 'application/x-www-form-urlencoded';
const JSON_NAME = 'application/json';
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const UTF8_NAMES = new Set(['utf-8', 'utf8', 'us-ascii']);
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Parses a buffered body. It is parsed here and not by Fastify's parser, because the key must be checked before the body.
 */
export function readJsonBody(raw: unknown, contentType: string | undefined, otherTypes: readonly string[] = []): unknown {
  if (!Buffer.isBuffer(raw) || raw.length === 0) return {};
  requireJson(contentType, otherTypes);
  if (!isUtf8(raw)) throw CommonErrors.invalidBody({ message: 'The body is not valid UTF-8.' });
  try {
    return parseJson(raw.toString());
  } catch (error) {
    throw refusalOf(error as Error);
  }
}

/** `otherTypes` are those that the route also takes. */
export function requireJson(contentType: string | undefined, otherTypes: readonly string[] = []): void {
  if (!contentType || !JSON_TYPE.test(contentType)) {
    const allowed = [JSON_NAME, ...otherTypes];
    throw CommonErrors.unsupportedMediaType({ param: 'Content-Type', message: `Send the body as ${allowed.join(' or ')}.`, allowed });
  }
  requireUtf8(contentType);
}

/** Bodies are read as they are: neither converted from another charset nor decompressed. */
export function requireUtf8(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1];
  if (charset !== undefined && !UTF8_NAMES.has(charset.toLowerCase()))
    throw CommonErrors.unsupportedMediaType({ param: 'Content-Type', message: 'Send the body as UTF-8.', allowed: ['utf-8'] });
}

export function requireNoEncoding(contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity')
    throw CommonErrors.unsupportedMediaType({
      param: 'Content-Encoding',
      message: 'Send the body without Content-Encoding.',
      allowed: ['identity'],
    });
}

/** The error of a body whose text cannot be parsed, or may not be. */
export function refusalOf(error: Error): DomainError {
  if (!(error instanceof UnacceptableJson)) return CommonErrors.invalidBody({ message: `The body is not valid JSON: ${error.message}` });
  const { message, param } = error;
  return param === undefined ? CommonErrors.invalidBody({ message }) : CommonErrors.validationFailed({ message, param });
}

/**
 * Parses the form of a page as a browser sends it without a script: every value is text, and the last value of a repeated name
 * counts. A dot in a name denotes a nested object: `answers.email` is the member `email` of `answers`.
 */
export function readPageBody(raw: unknown, contentType: string | undefined): unknown {
  if (!Buffer.isBuffer(raw) || !contentType || !FORM_TYPE.test(contentType)) return readJsonBody(raw, contentType, [FORM_NAME]);
  return nestedMembers(readForm(raw, contentType));
}

/** The fields of a form, each as often as it was sent. */
export function readForm(raw: unknown, contentType: string | undefined): URLSearchParams {
  if (!Buffer.isBuffer(raw) || !contentType || !FORM_TYPE.test(contentType))
    throw CommonErrors.unsupportedMediaType({ param: 'Content-Type', message: 'Send the form of the page.', allowed: [FORM_NAME] });
  requireUtf8(contentType);
  if (!isUtf8(raw)) throw CommonErrors.invalidBody({ message: 'The body is not valid UTF-8.' });
  const text = raw.toString('utf8');
  if (text.split('&', MOST_VALUES + 1).length > MOST_VALUES)
    throw CommonErrors.invalidBody({ message: `The body has too many members; it may have ${MOST_VALUES}.` });
  return new URLSearchParams(text);
}

/** The members of a page's form. The last value of a repeated name counts. */
export function nestedMembers(pairs: Iterable<[name: string, value: string]>): Record<string, unknown> {
  const members = new Map<string, unknown>();
  for (const [name, value] of pairs) {
    const dot = name.indexOf('.');
    if (dot <= 0) {
      members.set(name, value);
      continue;
    }
    const object = members.get(name.slice(0, dot));
    const inner = object instanceof Map ? (object as Map<string, string>) : new Map<string, string>();
    members.set(name.slice(0, dot), inner.set(name.slice(dot + 1), value));
  }
  // fromEntries instead of assignment, because a name may be __proto__
  return Object.fromEntries(
    [...members].map(([name, value]) => [name, value instanceof Map ? (Object.fromEntries(value) as object) : value]),
  );
}

/** Without `param`: some routes have a field `body`, and it need not be the one that is too long. */
export function bodyTooLarge(limit?: number, advice = ''): DomainError {
  if (limit === undefined) return CommonErrors.payloadTooLarge();
  return CommonErrors.payloadTooLarge({
    message: `The request body is larger than the ${limit} bytes that this route accepts. ${advice}`.trimEnd(),
  });
}
