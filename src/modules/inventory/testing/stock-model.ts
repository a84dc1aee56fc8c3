/**
 * What stock must be, computed by other means than the product: plain numbers instead of big integers, each item as one list of
 * batches that knows place, lot and date. Small quantities only, so that numbers are exact.
 */
export interface ModelItem {
  fifo: boolean;
  tracked: boolean;
  places: Record<string, ModelPlace>;
  /** In the order of entry; FIFO takes from the front. The average has one batch. */
  batches: { quantity: number; amount: number }[];
  transit: number;
}

interface ModelPlace {
  onHand: number;
  reserved: number;
  lots: Map<string, { expires: string; quantity: number }>;
}

export type Verdict = 'ok' | 'insufficient_stock' | 'stock_reserved';

export function modelItem(fifo: boolean, tracked: boolean, places: readonly string[]): ModelItem {
  const place = (): ModelPlace => ({ onHand: 0, reserved: 0, lots: new Map() });
  return { fifo, tracked, batches: [], transit: 0, places: Object.fromEntries(places.map((name) => [name, place()])) };
}

export function valueOf({ batches }: ModelItem): number {
  return batches.reduce((sum, { amount }) => sum + amount, 0);
}

/** Half away from zero; all operands are positive. */
const share = (amount: number, part: number, whole: number) =>
  part === whole ? amount : Math.floor((2 * amount * part + whole) / (2 * whole));

export function enter(
  item: ModelItem,
  place: string,
  quantity: number,
  amount: number | null,
  lot: { code: string; expires: string } | null,
): void {
  const total = item.batches.reduce((sum, batch) => sum + batch.quantity, 0);
  const cost = amount ?? (total === 0 ? 0 : share(valueOf(item), quantity, total));
  if (item.fifo || item.batches.length === 0) item.batches.push({ quantity, amount: cost });
  else {
    item.batches[0].quantity += quantity;
    item.batches[0].amount += cost;
  }
  put(item, place, quantity, lot ? [{ ...lot, quantity }] : []);
}

export function canLeave(item: ModelItem, place: string, quantity: number, kept = 0): Verdict {
  const { onHand, reserved } = item.places[place];
  if (quantity > onHand) return 'insufficient_stock';
  return quantity > onHand - reserved + kept ? 'stock_reserved' : 'ok';
}

/** The stock is removed permanently; returns its cost. */
export function leave(item: ModelItem, place: string, quantity: number): number {
  take(item, place, quantity);
  let [left, cost] = [quantity, 0];
  while (left > 0) {
    const [batch] = item.batches;
    const part = Math.min(batch.quantity, left);
    const amount = share(batch.amount, part, batch.quantity);
    batch.quantity -= part;
    batch.amount -= amount;
    if (batch.quantity === 0) item.batches.shift();
    left -= part;
    cost += amount;
  }
  return cost;
}

/** Takes what expires first, and returns of which lots it is. */
export function take(item: ModelItem, place: string, quantity: number): { code: string; expires: string; quantity: number }[] {
  const from = item.places[place];
  from.onHand -= quantity;
  const taken: { code: string; expires: string; quantity: number }[] = [];
  let left = item.tracked ? quantity : 0;
  for (const [code, lot] of [...from.lots].sort(([, a], [, b]) => (a.expires < b.expires ? -1 : 1))) {
    const part = Math.min(lot.quantity, left);
    if (part === 0) continue;
    lot.quantity -= part;
    left -= part;
    taken.push({ code, expires: lot.expires, quantity: part });
  }
  return taken;
}

export function put(
  item: ModelItem,
  place: string,
  quantity: number,
  lots: readonly { code: string; expires: string; quantity: number }[],
): void {
  const to = item.places[place];
  to.onHand += quantity;
  for (const { code, expires, quantity: part } of lots) to.lots.set(code, { expires, quantity: (to.lots.get(code)?.quantity ?? 0) + part });
}
