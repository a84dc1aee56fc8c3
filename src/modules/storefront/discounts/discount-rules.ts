import { own, sql, table, type DomainError, type Tx } from '../../../kit/index.js';
import { Discount } from '../model/discount.entity.js';
import { DiscountUse } from '../model/discount-use.entity.js';
import { StorefrontErrors } from '../model/storefront.errors.js';

type RefusalReason =
  | 'unknown'
  | 'inactive'
  | 'not_started'
  | 'ended'
  | 'other_currency'
  | 'subtotal_too_small'
  | 'used_up'
  | 'used_up_by_email';

/** The discount with a code; `discount_refused` if there is none. */
export async function findDiscount(tx: Tx, projectId: string, code: string): Promise<Discount> {
  const [discount] = await tx.list(Discount, { project_id: projectId }, sql`lower(t.code) = lower(${code})`);
  if (!discount) throw refused('unknown', code);
  return discount;
}

/** Rejects a discount that the order cannot use now. Until the order is placed, another one can still take the last use. */
export function requireApplicable(discount: Discount, order: { currency: string; subtotal: number }, now: Date): void {
  const { code } = discount;
  if (!discount.active) throw refused('inactive', code);
  if (discount.starts_at && discount.starts_at > now) throw refused('not_started', code);
  if (discount.ends_at && discount.ends_at <= now) throw refused('ended', code);
  if (discount.currency !== null && discount.currency !== order.currency) throw refused('other_currency', code);
  if (order.subtotal < (discount.min_subtotal_amount ?? 0)) throw refused('subtotal_too_small', code);
  if (discount.usage_limit !== null && discount.used_count >= discount.usage_limit) throw refused('used_up', code);
}

/**
 * Counts a use, which locks the discount until the end of the transaction, so that no limit is exceeded however many orders are placed at
 * once. An UPDATE, because FOR UPDATE would deadlock with the foreign keys of other new orders.
 */
export async function countUse(tx: Tx, { id, code }: Pick<Discount, 'id' | 'code'>, buyer: string): Promise<void> {
  const [used] = await tx.sql<{ per_email_limit: number | null }>(
    sql`UPDATE ${table(Discount)} d SET used_count = d.used_count + 1, version = d.version + 1, updated_at = now()
      WHERE ${own('d')} AND d.id = ${id} AND (d.usage_limit IS NULL OR d.used_count < d.usage_limit) RETURNING d.per_email_limit`,
  );
  if (!used) throw refused('used_up', code);
  if (used.per_email_limit === null) return;
  const uses = await tx.list(DiscountUse, { discount_id: id, email: buyer.toLowerCase() });
  if (uses.length >= used.per_email_limit) throw refused('used_up_by_email', code);
}

/** Records the order of the use, once the order is written. */
export async function recordUse(tx: Tx, order: { id: string; project_id: string }, discountId: string, buyer: string): Promise<void> {
  const values = { project_id: order.project_id, discount_id: discountId, order_id: order.id, email: buyer.toLowerCase() };
  await tx.advanced.pipelined.insert(DiscountUse, values);
}

/** Returns the use of a cancelled order. */
export async function returnDiscount(tx: Tx, orderId: string, discountId: string): Promise<void> {
  await tx.sql(
    sql`WITH returned AS (DELETE FROM ${table(DiscountUse)} u WHERE ${own('u')} AND u.order_id = ${orderId} RETURNING 1)
      UPDATE ${table(Discount)} d SET used_count = d.used_count - 1, version = d.version + 1, updated_at = now()
      WHERE ${own('d')} AND d.id = ${discountId} AND EXISTS (SELECT FROM returned)`,
  );
}

const TEXTS: Readonly<Record<RefusalReason, string>> = {
  unknown: 'is unknown',
  inactive: 'is not active',
  not_started: 'does not apply yet',
  ended: 'has ended',
  other_currency: 'is for another currency',
  subtotal_too_small: 'needs a larger subtotal',
  used_up: 'was used as often as it can be',
  used_up_by_email: 'was used by this e-mail address as often as it can be',
};

function refused(reason: RefusalReason, code: string): DomainError {
  return StorefrontErrors.discountRefused({
    param: 'discount_code',
    message: `The discount code ${code} ${TEXTS[reason]}; send another discount_code, or null for none.`,
    extra: { reason },
  });
}
