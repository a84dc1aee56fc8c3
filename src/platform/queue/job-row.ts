import type { Ctx } from '../../kit/index.js';
import { currentTraceparent, newId } from '../../kit/internal.js';

/** One job, as its caller's transaction writes it. */
export const INSERT_JOB = `
  INSERT INTO jobs (id, name, key, organization_id, project_id, mode, actor, member_id, payload, due_at, traceparent)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, COALESCE($10, now()), $11)
  ON CONFLICT (organization_id, mode, name, key) WHERE status = 'due' AND attempts = 0 DO NOTHING`;

/** Whether a job with a key is due or runs: by the indexes of the claims. */
export const HAS_JOB = ['IS NULL', 'IS NOT NULL']
  .map(
    (leased) => `SELECT FROM jobs WHERE organization_id = $1 AND mode = $2 AND name = $3 AND key = $4
      AND status = 'due' AND leased_until ${leased}`,
  )
  .join(' UNION ALL ');

/** The values of INSERT_JOB; `payload` is JSON. */
export function jobRow(
  ctx: Pick<Ctx, 'organizationId' | 'projectId' | 'mode' | 'actor' | 'memberId'>,
  name: string,
  payload: string,
  { dueAt, key, traceparent = currentTraceparent() }: { dueAt?: Date; key?: string; traceparent?: string | null } = {},
): unknown[] {
  return [
    newId(),
    name,
    key ?? null,
    ctx.organizationId,
    ctx.projectId,
    ctx.mode,
    JSON.stringify(ctx.actor),
    ctx.memberId,
    payload,
    dueAt ?? null,
    traceparent,
  ];
}
