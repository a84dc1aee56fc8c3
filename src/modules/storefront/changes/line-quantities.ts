import { CommonErrors, own, sql, table, type Tx } from '../../../kit/index.js';
import type { ShownLine } from '../model/shown-parts.js';
import { invalid } from '../model/storefront.errors.js';
import { OrderLine } from '../model/order-line.entity.js';

/** Units of a line that a request names. */
export interface LineUnits {
  line: ShownLine;
  quantity: number;
  /** Its path in the request. */
  param: string;
}

/** The lines that a request names: each must be of the order, and may be named once. */
export function linesNamed(lines: readonly ShownLine[], named: readonly { line_id: string; quantity: number }[]): LineUnits[] {
  const seen = new Set<string>();
  return named.map(({ line_id, quantity }, index) => {
    const param = `lines.${index}`;
    const line = lines.find(({ id }) => id === line_id);
    if (!line) throw invalid(`${param}.line_id`, 'must be the id of a line of the order');
    if (seen.has(line_id))
      throw CommonErrors.validationFailed({ param: `${param}.line_id`, message: `${param}.line_id must not repeat a line` });
    seen.add(line_id);
    return { line, quantity, param };
  });
}

/** Units that are neither shipped nor cancelled. */
export function openUnits({ quantity, fulfilled_quantity, cancelled_quantity }: ShownLine): number {
  return quantity - fulfilled_quantity - cancelled_quantity;
}

/** Writes what has changed of lines, by one statement. */
export async function writeLines(tx: Tx, before: readonly ShownLine[], after: readonly ShownLine[]): Promise<void> {
  const changed = after.filter((line, index) => line !== before[index]);
  if (changed.length === 0) return;
  const values = changed.map((line) => ({
    id: line.id,
    reservations: line.reservations,
    fulfilled_quantity: line.fulfilled_quantity,
    cancelled_quantity: line.cancelled_quantity,
    refunded_quantity: line.refunded_quantity,
    returned_quantity: line.returned_quantity,
    refund_due_quantity: line.refund_due_quantity,
    cancelled_amount: line.cancelled_amount,
    refunded_amount: line.refunded_amount,
    returned_amount: line.returned_amount,
    refund_due_amount: line.refund_due_amount,
  }));
  await tx.sql(
    sql`UPDATE ${table(OrderLine)} l SET reservations = n.reservations, fulfilled_quantity = n.fulfilled_quantity,
        cancelled_quantity = n.cancelled_quantity, refunded_quantity = n.refunded_quantity, returned_quantity = n.returned_quantity,
        refund_due_quantity = n.refund_due_quantity, cancelled_amount = n.cancelled_amount, refunded_amount = n.refunded_amount,
        returned_amount = n.returned_amount, refund_due_amount = n.refund_due_amount, version = l.version + 1, updated_at = now()
      FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS n (id uuid, reservations jsonb, fulfilled_quantity integer,
        cancelled_quantity integer, refunded_quantity integer, returned_quantity integer, refund_due_quantity integer,
        cancelled_amount bigint, refunded_amount bigint, returned_amount bigint, refund_due_amount bigint)
      WHERE ${own('l')} AND l.id = n.id`,
  );
}

export function fulfilledUnits(lines: readonly ShownLine[]): number {
  return lines.reduce((sum, { fulfilled_quantity }) => sum + fulfilled_quantity, 0);
}
