import { randomUUID } from 'node:crypto';
import type { KeptBodyDto, RequestLogDto } from '../../platform/request-log/request-logs.dto.js';

const MASKED = '[masked]';

/** A call to send again by hand. */
export interface Curl {
  command: string;
  /** Whether sending it again changes something. */
  writes: boolean;
  /** The values that must be filled in first. */
  gaps: string[];
}

type LoggedCall = Pick<RequestLogDto, 'method' | 'route' | 'plane' | 'dry_run'>;

/** The call as a shell command with `$SVC_KEY` as the secret and a new Idempotency-Key; null if the log does not have its route. */
export function curlOf(log: LoggedCall, body: KeptBodyDto | null, baseUrl: string): Curl | null {
  const { method, route, plane, dry_run } = log;
  if (route === null || plane !== 'keyed') return null;
  const writes = method !== 'GET';
  const parameters = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => `$${variable(name)}`);
  const text = body && !body.truncated ? body.text : null;
  const options = [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `-H "Authorization: Bearer $SVC_KEY"`,
    ...(writes ? [`-H 'Idempotency-Key: ${randomUUID()}'`] : []),
    ...(dry_run ? [`-H 'Svc-Dry-Run: true'`] : []),
    ...(text === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(text)}`]),
  ];
  const gaps = [
    ...parameters.map((name) => `$${variable(name)}: the log keeps routes without the ids`),
    ...(method === 'GET' ? ['the parameters after a question mark, which the log does not keep'] : []),
    ...(text?.includes(MASKED) ? [`what is ${MASKED}`] : []),
    ...(writes && method !== 'DELETE' && text === null ? ['the body, with -d and Content-Type: application/json, if it had one'] : []),
  ];
  return { command: [`curl -sS "${baseUrl}${path}"`, ...options].join(' \\\n  '), writes: writes && !dry_run, gaps };
}

function variable(name: string): string {
  return name.toUpperCase();
}

/** In single quotes, within which a shell expands nothing. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
