import { rowKey } from '../../../kit/index.js';
import { StockTransfer } from './transfer.entity.js';

export const TRANSFER_NUMBER = rowKey(StockTransfer, 'number', {
  pattern: '^(?:(?:TEST|test)-)?[Tt][Rr]-[1-9][0-9]{0,9}$',
  example: 'TR-12',
  title: 'reference',
});
