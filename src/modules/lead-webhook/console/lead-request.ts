import { badge, type Tone } from '../../../console/index.js';
import type { Html } from '../../../kit/index.js';

/** A request to the lead webhook, as its operation returns it. */
export interface LeadRequest {
  id: string;
  created_at: string;
  api_key_id: string;
  project_id: string | null;
  mode: string;
  address: string;
  user_agent: string | null;
  status: number;
  code: string | null;
  result: string;
  lead_id: string | null;
  candidate_ids: string[];
  duration_ms: number;
  request_id: string;
}

const RESULTS: Readonly<Record<string, readonly [label: string, tone: Tone]>> = {
  created: ['Created', 'good'],
  matched: ['Matched', 'neutral'],
  updated: ['Updated', 'good'],
  replayed: ['Repeated', 'neutral'],
  refused: ['Refused', 'warn'],
  failed: ['Failed', 'bad'],
};
export const RESULT_OPTIONS = Object.entries(RESULTS).map(([value, [label]]) => ({ value, label }));

export function resultBadge(result: string): Html {
  return badge(...RESULTS[result]);
}
