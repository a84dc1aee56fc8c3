import type { Actor } from '../../../../kit/index.js';
import type { StepMode } from '../types/approval-route.dto.js';

export const ROUTINGS = ['routed', 'unrouted'] as const;
export type Routing = (typeof ROUTINGS)[number];
/** `withdrawn`: the step was decided, recalled or escalated before this approver decided. */
export const DECISIONS = ['pending', 'approved', 'rejected', 'returned', 'withdrawn'] as const;
export type Decision = (typeof DECISIONS)[number];

/** What a document shows of a request for a decision. Times are text if it was read as JSON. */
export interface ShownRequest {
  id: string;
  step_index: number;
  step_name: string;
  step_mode: StepMode;
  routing: Routing;
  approver_id: string | null;
  in_place_of: string | null;
  substitute_id: string | null;
  decision: Decision;
  comment: string | null;
  due_at: Date | string | null;
  decided_at: Date | string | null;
  decided_by: Actor | null;
}

/** Who decides or has decided, and in whose place. */
export function deciderOf({
  approver_id,
  in_place_of,
  substitute_id,
}: Pick<ShownRequest, 'approver_id' | 'in_place_of' | 'substitute_id'>): {
  deciderId: string | null;
  inPlaceOfId: string | null;
} {
  if (substitute_id === null) return { deciderId: approver_id, inPlaceOfId: in_place_of };
  return { deciderId: substitute_id, inPlaceOfId: approver_id };
}

export const SHOWN_COLUMNS = [
  'id',
  'step_index',
  'step_name',
  'step_mode',
  'routing',
  'approver_id',
  'in_place_of',
  'substitute_id',
  'decision',
  'comment',
  'due_at',
  'decided_at',
  'decided_by',
] as const satisfies readonly (keyof ShownRequest)[];

/** The values of a shown request in the order of the columns: PostgreSQL writes arrays in less time than objects. */
export type RequestValues = readonly unknown[];

export function requestOf(values: RequestValues): ShownRequest {
  const request: Record<string, unknown> = {};
  for (let index = 0; index < SHOWN_COLUMNS.length; index++) request[SHOWN_COLUMNS[index]] = values[index];
  return request as unknown as ShownRequest;
}
