import { requireScale } from '../book/refusals.js';
import type { StockBook } from '../book/stock-book.js';
import { invalid } from '../model/inventory.errors.js';
import { decimalOf, quantityOf, type Quantity } from '../model/quantities.js';
import type { StockTransferLine } from '../model/transfer-line.entity.js';
import type { ReceivedLineDto } from '../resources/transfer.dto.js';

/** The received and lost quantities of a line. */
export interface ReceivedLine {
  param: string;
  line: StockTransferLine;
  received: Quantity;
  lost: Quantity;
}

export function openOf({ quantity, received_quantity, lost_quantity }: StockTransferLine): Quantity {
  return quantityOf(quantity) - quantityOf(received_quantity) - quantityOf(lost_quantity);
}

/** The lines of a receipt: the named ones, or else everything in transit. */
export function receivedLines(
  book: StockBook,
  lines: readonly StockTransferLine[],
  sent: readonly ReceivedLineDto[] | undefined,
): ReceivedLine[] {
  if (!sent) return lines.flatMap((line) => (openOf(line) > 0n ? [{ param: '', line, received: openOf(line), lost: 0n }] : []));
  const named = new Set<string>();
  return sent.map(({ line_id, received_quantity = '0', lost_quantity = '0' }, index) => {
    const param = `lines.${index}.`;
    const line = lines.find(({ id }) => id === line_id);
    if (!line) throw invalid(`${param}line_id`, 'must be a line of the transfer');
    if (named.has(line_id)) throw invalid(`${param}line_id`, 'must not repeat a line');
    named.add(line_id);
    const { item } = book.stock(line.item_id);
    const received = requireScale(item, quantityOf(received_quantity), `${param}received_quantity`);
    const lost = requireScale(item, quantityOf(lost_quantity), `${param}lost_quantity`);
    if (received + lost > openOf(line))
      throw invalid(`${param}received_quantity`, `and lost_quantity must not exceed what is in transit: ${decimalOf(openOf(line))}`);
    if (received + lost === 0n) throw invalid(`${param}received_quantity`, 'or lost_quantity must be greater than 0');
    return { param, line, received, lost };
  });
}
