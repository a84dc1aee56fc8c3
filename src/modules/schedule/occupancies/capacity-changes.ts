import { CommonErrors, sql, type Tx } from '../../../kit/index.js';
import type { Resource } from '../model/setup/resource.entity.js';

/** The most simultaneous uses, with buffers, that have not ended. */
const PEAK = `
  SELECT COALESCE(max(uses), 0)::int AS peak FROM (
    SELECT sum(change) OVER (PARTITION BY mode ORDER BY at, change) AS uses FROM schedule_occupancies o
    CROSS JOIN LATERAL (VALUES (lower(o.span), 1), (upper(o.span), -1)) AS edge (at, change)
    WHERE o.organization_id = $1 AND o.resource_id = $2 AND o.span && tstzrange(now(), NULL)
  ) AS edges`;

/** Makes the future uses of a resource follow its new capacity; 409 if there are more at once. Call it under `lockResource`. */
export async function changeCapacity(tx: Tx, { id, organization_id, capacity: before }: Resource, capacity: number): Promise<void> {
  if (capacity < before) {
    const [{ peak }] = await tx.query<{ peak: number }>(sql.legacy(PEAK, [organization_id, id]));
    if (peak > capacity)
      throw CommonErrors.resourceConflict({
        param: 'capacity',
        message: `capacity cannot be ${capacity}: future events use the resource ${peak} times simultaneously; move some of them first.`,
      });
  }
  // past uses may overlap, so the constraint must not apply to them
  const future = capacity === 1 ? 'AND span && tstzrange(now(), NULL)' : '';
  await tx.query(
    sql.legacy(
      `UPDATE schedule_occupancies SET exclusive = $3
     WHERE organization_id = $1 AND resource_id = $2 AND exclusive <> $3 ${future}`,
      [organization_id, id, capacity === 1],
    ),
  );
}
