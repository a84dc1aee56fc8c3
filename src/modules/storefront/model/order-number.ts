import { rowKey } from '../../../kit/index.js';
import { Order } from './order.entity.js';

export const ORDER_NUMBER = rowKey(Order, 'number', {
  pattern: '^(?:(?:TEST|test)-)?[Oo]-[1-9][0-9]{0,9}$',
  example: 'O-42',
  title: 'name',
});
