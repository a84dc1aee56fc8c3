import { expect, test } from '@jest/globals';
import MiniSearch from 'minisearch';
import { Vocabulary } from '../../mcp/text/vocabulary.js';
import type { DocsPage, SearchEntry } from './pages.js';
import { searchIndex } from './search-index.js';
import { SEARCH_SCRIPT } from './search-script.js';

type Search = (question: string) => { path: string }[];

const ENTRIES: SearchEntry[] = [
  {
    title: 'refund_too_high',
    place: 'Errors, shop',
    path: '/errors#refund_too_high',
    kind: 'error',
    words: '409',
    text: 'The refund is too high.',
  },
  { title: 'order.refunded', place: 'Shop events', path: '/events#order.refunded', kind: 'event', text: 'An order was refunded.' },
  { title: 'Orders', place: 'Shop', path: '/orders', kind: 'object', text: 'List orders. Record a refund.' },
  ...['list_orders', 'refund_order', 'restore_order'].map((id): SearchEntry => ({
    title: { list_orders: 'List orders', refund_order: 'Record money that goes back', restore_order: 'Restore an order' }[id]!,
    place: 'Shop, Orders',
    path: `/orders#${id}`,
    kind: 'operation',
    operation: { id, module: 'shop' },
    text: `${id} /orders`,
  })),
  { title: 'Dry runs', place: 'Guides', path: '/dry-runs', kind: 'guide', text: 'would_emit lists events. Send the header Svc-Dry-Run.' },
  { title: '2.0', place: 'Changes', path: '/changes', kind: 'change', text: 'Svc-Dry-Run and would_emit are new. Emit, run, dry.' },
  { title: 'Carts', place: 'Shop', path: '/carts', kind: 'object', text: 'List carts. paid_total expires_at' },
  { title: 'Idempotency', place: 'Guides', path: '/idempotency', kind: 'guide', words: 'retry safe', text: 'Send the same key again.' },
];

test.each([
  ['how do I refund an order?', '/orders#refund_order'],
  ['reimbursing buyers', '/orders#refund_order'],
  ['I want to get my cash back', '/orders#refund_order'],
  ['undo a delete', '/orders#restore_order'],
  ['retry requests safely', '/idempotency'],
  ['refund_too_high', '/errors#refund_too_high'],
  ['restor', '/orders#restore_order'],
  ['restore constructor', '/orders#restore_order'],
  ['sales_refund', '/orders#refund_order'],
  ['listOrders', '/orders#list_orders'],
  ['list_orders', '/orders#list_orders'],
  ['order.refunded', '/events#order.refunded'],
  ['409 refund', '/errors#refund_too_high'],
  ['refnd order', '/orders#refund_order'],
  ['idmepotency', '/idempotency'],
  ['would_emit', '/dry-runs'],
  ['Svc-Dry-Run', '/dry-runs'],
  ['svc-dry-run', '/dry-runs'],
  ['expires_at', '/carts#field.expires_at'],
])('"%s" finds %s first', async (question, path) => {
  const vocabulary = new Vocabulary([{ module: 'shop', search: { refund: 'reimburse money_back get_back', order: 'purchase buyer' } }]);
  const index = searchIndex([{ search: () => ENTRIES } as unknown as DocsPage], vocabulary);
  const script = (await import(`data:text/javascript,${encodeURIComponent(SEARCH_SCRIPT)}`)) as {
    openSearch: (engine: typeof MiniSearch, packed: unknown) => Search;
  };
  expect(script.openSearch(MiniSearch, index)(question)[0]?.path).toBe(path);
});
