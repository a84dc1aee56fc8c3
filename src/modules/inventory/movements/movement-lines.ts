import type { Decimal } from '../../../kit/index.js';
import { requireScale } from '../book/refusals.js';
import type { InventoryItem } from '../model/item.entity.js';
import { InventoryErrors, invalid } from '../model/inventory.errors.js';
import { convert, decimalOf, fits, quantityOf, type Quantity } from '../model/quantities.js';
import type { RecordStockMovementDto } from '../resources/movement.dto.js';

/** A movement to be recorded; `param` is the path of its fields in the request, with a point at its end, or empty. */
export interface MovementLine {
  param: string;
  body: RecordStockMovementDto;
}

/** The line's quantity in the item's unit. Rejects quantities that the kind or the item's precision does not allow. */
export function quantityOfLine(item: InventoryItem, { param, body }: MovementLine): Quantity {
  const sent = quantityOf(body.quantity);
  if (body.kind === 'count' && sent < 0n) throw invalid(`${param}quantity`, 'must not be negative');
  if (body.kind === 'adjust' && sent === 0n) throw invalid(`${param}quantity`, 'must not be 0');
  if ((body.kind === 'receipt' || body.kind === 'issue') && sent <= 0n) throw invalid(`${param}quantity`, 'must be greater than 0');
  const { unit } = body;
  const converted = unit === undefined || unit === item.unit ? sent : convert(sent, factorOf(item, unit, param));
  const quantity = requireScale(item, converted, `${param}quantity`);
  if (!fits(quantity)) throw invalid(`${param}quantity`, `must have at most 12 digits before the point in ${item.unit}`);
  return quantity;
}

function factorOf({ unit: own, units }: InventoryItem, unit: string, param: string): Decimal {
  const known = units.find(({ code }) => code === unit);
  const codes = [own, ...units.map(({ code }) => code)];
  if (!known) throw invalid(`${param}unit`, `must be a unit of the item: ${codes.join(', ')}`, codes);
  return known.factor;
}

/** Rejects fields that do not apply to the kind. `now` is the database's time. */
export function requireMeaningful({ param, body }: MovementLine, now: Date): void {
  const { kind, quantity, reservation_id, cost_amount, occurred_at } = body;
  if (reservation_id && kind !== 'issue') throw invalid(`${param}reservation_id`, 'is only for issues');
  if (cost_amount !== undefined && (kind === 'issue' || (kind === 'adjust' && quantity.startsWith('-'))))
    throw invalid(`${param}cost_amount`, 'is only for stock that enters: what leaves is costed by the valuation method');
  if (occurred_at !== undefined && new Date(occurred_at) > now) throw invalid(`${param}occurred_at`, 'must not be in the future');
}

/** Compare and set: rejects the movement if the quantity on hand is not the expected one. */
export function requireExpected({ param, body }: MovementLine, onHand: Quantity): void {
  const { expected_on_hand: expected } = body;
  if (typeof expected !== 'string' || quantityOf(expected) === onHand) return;
  throw InventoryErrors.stockChanged({
    param: `${param}expected_on_hand`,
    message: `${decimalOf(onHand)} is on hand, not ${expected}; read the stock again.`,
    extra: { on_hand: decimalOf(onHand) },
  });
}
