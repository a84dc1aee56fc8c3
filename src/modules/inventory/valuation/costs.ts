import { amountOf, divide } from '../../../kit/index.js';
import { smaller, type Quantity } from '../model/quantities.js';

/** A quantity with its value in the currency's minor unit. */
export interface Valued {
  quantity: Quantity;
  amount: number;
}

/**
 * The part of the amount that belongs to a part of the quantity, rounded half away from zero. The whole quantity has the whole amount, so
 * nothing remains after the last unit.
 */
export function shareOf({ quantity, amount }: Valued, part: Quantity): number {
  if (part === quantity) return amount;
  return quantity === 0n ? 0 : amountOf(divide(BigInt(amount) * part, quantity));
}

/** Takes a quantity from the layers in their order and returns its cost. The layers must contain as much. */
export function takeFromLayers(layers: readonly Valued[], quantity: Quantity): number {
  let [left, cost] = [quantity, 0];
  for (const layer of layers) {
    if (left === 0n) break;
    const part = smaller(layer.quantity, left);
    const amount = shareOf(layer, part);
    layer.quantity -= part;
    layer.amount -= amount;
    left -= part;
    cost += amount;
  }
  if (left > 0n) throw new Error('The cost layers contain less than the stock.');
  return cost;
}
