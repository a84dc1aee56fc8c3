import { CommonErrors, own, sql, table, type Tx } from '../../../kit/index.js';
import { Occupancy } from '../model/records/occupancy.entity.js';
import type { Resource } from '../model/setup/resource.entity.js';

/** The most simultaneous uses, with buffers, that have not ended. */
const peakOf = (id: string) => sql.inBothModes('both modes use a resource')`
  SELECT COALESCE(max(uses), 0)::int AS peak FROM (
    SELECT sum(change) OVER (PARTITION BY mode ORDER BY at, change) AS uses FROM ${table(Occupancy)} o
    CROSS JOIN LATERAL (VALUES (lower(o.span), 1), (upper(o.span), -1)) AS edge (at, change)
    WHERE ${own('o')} AND o.resource_id = ${id} AND o.span && tstzrange(now(), NULL)
  ) AS edges`;

/** Makes the future uses of a resource follow its new capacity; 409 if there are more at once. Call it under `lockResource`. */
export async function changeCapacity(tx: Tx, { id, capacity: before }: Resource, capacity: number): Promise<void> {
  if (capacity < before) {
    const [{ peak }] = await tx.sql<{ peak: number }>(peakOf(id));
    if (peak > capacity)
      throw CommonErrors.resourceConflict({
        param: 'capacity',
        message: `capacity cannot be ${capacity}: future events use the resource ${peak} times simultaneously; move some of them first.`,
      });
  }
  // past uses may overlap, so the constraint must not apply to them
  const future = capacity === 1 ? sql`AND o.span && tstzrange(now(), NULL)` : sql``;
  const exclusive = sql`${capacity === 1}::boolean`;
  await tx.sql(
    sql.inBothModes('both modes use a resource')`UPDATE ${table(Occupancy)} o SET exclusive = ${exclusive}
      WHERE ${own('o')} AND o.resource_id = ${id} AND o.exclusive <> ${exclusive} ${future}`,
  );
}
