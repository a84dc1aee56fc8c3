import type { Mode } from '../../kit/index.js';

/** What the log stores about a request. Never a secret, a body (see KeptBodies) or the values of a query. */
export interface RequestLogEntry {
  /** When the response was sent. */
  time: Date;
  organization_id: string | null;
  project_id: string | null;
  mode: Mode | null;
  /** Also of a key that was recognized and rejected. */
  api_key_id: string | null;
  member_id: string | null;
  plane: 'keyed' | 'product';
  method: string;
  /** The template, never the path itself, which may contain ids and tokens. Null if no route matches. */
  route: string | null;
  operation: string | null;
  tool: string | null;
  via: 'http' | 'mcp';
  status: number;
  /** The error's code; null for a success. */
  code: string | null;
  latency_ms: number;
  address: string;
  request_id: string;
  idempotent_replay: boolean;
  dry_run: boolean;
  user_agent: string | null;
}

const TEXT_BOUND = 200;

/** Truncates text from a client and removes what PostgreSQL cannot store. */
export function bounded(text: string | null): string | null {
  if (text === null) return null;
  const cut = text.length > TEXT_BOUND ? text.slice(0, TEXT_BOUND) : text;
  return cut.isWellFormed() && !cut.includes('\0') ? cut : cut.toWellFormed().replaceAll('\0', '');
}
