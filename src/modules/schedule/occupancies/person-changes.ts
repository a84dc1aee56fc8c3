import { CommonErrors, type Tx } from '../../../kit/index.js';
import { MODES } from '../model/core/schedule-locks.js';
import type { Resource } from '../model/setup/resource.entity.js';
import { APPOINTMENTS } from './people.js';

const OVERLAPS = `
  SELECT 1 FROM (
    SELECT o.resource_id, $4::uuid AS member_id, o.instance_id, lower(o.span) AS start_at, upper(o.span) AS end_at
    FROM schedule_occupancies o
    WHERE o.organization_id = $1 AND o.mode = $2 AND o.resource_id = $3 AND o.span && tstzrange(now(), NULL)
  ) AS n
  CROSS JOIN LATERAL (${APPOINTMENTS}) AS e
  WHERE e.instance_id <> n.instance_id LIMIT 1`;

/**
 * Throws `resource_conflict` if a resource that becomes a member is used while this member has other appointments. Call it under
 * `lockResource` and `lockPerson`.
 */
export async function requireNoOverlap(tx: Tx, { id, organization_id }: Resource, memberId: string): Promise<void> {
  for (const mode of MODES) {
    const [overlap] = await tx.query(OVERLAPS, [organization_id, mode, id, memberId]);
    if (overlap)
      throw CommonErrors.resourceConflict({
        param: 'member_id',
        message:
          'member_id cannot be this member: future events use the resource while the member has other appointments; move some first.',
      });
  }
}
