import { rowKey } from '../../../kit/index.js';
import { Ticket } from './ticket.entity.js';

export const TICKET_NUMBER = rowKey(Ticket, 'number', {
  pattern: '^(?:(?:TEST|test)-)?[Tt]-[1-9][0-9]{0,9}$',
  example: 'T-42',
  title: 'subject',
});
