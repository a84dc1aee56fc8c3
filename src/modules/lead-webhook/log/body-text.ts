/** The largest accepted body; of a larger one that was refused, the beginning is kept. */
export const LONGEST_BODY = 64 * 1024;

const MASK = '***';

/** Says nothing about the person: how the form is set up. */
const KEPT = new Set(['source_id', 'pipeline_id', 'status_id', 'project_id', 'utm_source', 'utm_campaign', 'update_if_exists']);

/** A body as PostgreSQL can keep it: text of bounded length without the character it has no place for. */
export function bodyText(body: Buffer): string {
  return body.subarray(0, LONGEST_BODY).toString('utf8').replaceAll('\u0000', '\ufffd');
}

/** A body without what it says about a person: field names stay, and the values that only describe the form. */
export function maskedBody(text: string): string {
  const body = parsed(text);
  if (body === undefined) return MASK;
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, KEPT.has(name) && typeof value !== 'object' ? value : masked(value)]),
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
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
