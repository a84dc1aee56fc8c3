import { badge, type Tone } from '../../../console/index.js';
import type { Html } from '../../../kit/index.js';

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
