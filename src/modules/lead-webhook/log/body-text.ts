import { isObject } from '../../../kit/index.js';

/** The size of the largest accepted body. Of a larger one, which is rejected, only the beginning is stored. */
export const MAX_BODY_LENGTH = 64 * 1024;

const MASK = '***';

/** Fields that describe the form instead of the person. */
const UNMASKED = new Set(['source_id', 'pipeline_id', 'status_id', 'project_id', 'utm_source', 'utm_campaign', 'update_if_exists']);

/** The body as text that PostgreSQL can store: of bounded length and without U+0000. */
export function bodyText(body: Buffer): string {
  return body.subarray(0, MAX_BODY_LENGTH).toString('utf8').replaceAll('\u0000', '\ufffd');
}

/** Masks the personal data in a body. Field names stay, and the values that only describe the form. */
export function maskedBody(text: string): string {
  const body = parsed(text);
  if (body === undefined) return MASK;
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, UNMASKED.has(name) && typeof value !== 'object' ? value : masked(value)]),
    ),
  );
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member)]));
  return value === null ? null : MASK;
}

function parsed(text: string): object | undefined {
  try {
    const body = JSON.parse(text) as unknown;
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
