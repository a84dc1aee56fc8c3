import { describe, expect, it } from '@jest/globals';
import { Books, EXT_ACCOUNTING, ORG_ACCOUNTING } from '../../src/modules/accounting/testing/accounting-fixture.js';
import type { Client } from '../harness/client.js';
import { openDesk, TICKETS } from '../../src/modules/desk/testing/desk-fixture.js';
import { eventually } from '../harness/eventually.js';
import { sharedApp } from '../harness/hosted-app.js';
import { ORG_HR, Staff } from '../../src/modules/hr/testing/hr-fixture.js';
import { EXT_INVENTORY, openStock, ORG_INVENTORY } from '../../src/modules/inventory/testing/inventory-fixture.js';
import {
  EXT_STOREFRONT,
  makeOrder,
  makeProduct,
  openStore,
  ORDERS,
  ORG_STOREFRONT,
} from '../../src/modules/storefront/testing/storefront-fixture.js';

const app = await sharedApp();
const stock = await openStock(app);
const store = await openStore(app);
const desk = await openDesk(app);
const books = await Books.open(app);
const staff = await Staff.open(app);
const customer = await books.customer();
const { variantId: variant_id } = await store.stocked('100');

interface Answer {
  status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the response as it came
  body: any;
}

/** A request that wants a value, and the row that gets it at the same moment. */
interface Race {
  id: string;
  send: () => PromiseLike<Answer>;
}

interface Case {
  /** The table of that row, and its value. */
  table: string;
  value: Record<string, string>;
  ready: () => Promise<Race>;
}

/**
 * Sends the request while another transaction gives the value to the row: the request finds it free and waits for that transaction at the
 * unique index, which then refuses it.
 */
async function race(table: string, value: Record<string, string>, { id, send }: Race): Promise<Answer> {
  const other = await app.sql.connect();
  try {
    await other.query('BEGIN');
    // rows of some tables never change otherwise
    await other.query('SET LOCAL session_replication_role = replica');
    const [[column, wanted]] = Object.entries(value);
    const { rows } = await other.query<{ pid: number }>(
      `UPDATE ${table} SET ${column} = $2 WHERE id = $1 RETURNING pg_backend_pid() AS pid`,
      [id, wanted],
    );
    const answer = Promise.resolve(send());
    const waiting = () => app.sql.query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0].pid]);
    expect((await eventually(waiting, ({ rowCount }) => rowCount === 1, 20_000)).rowCount).toBe(1);
    await other.query('COMMIT');
    return await answer;
  } finally {
    other.release(true);
  }
}

const movement = async (values: object = {}) => ({
  ...{ kind: 'receipt', item_id: await stock.item(), location_id: stock.at.MAIN, quantity: '1' },
  ...values,
});
const recorded = async () => (await stock.post('movements', await movement())).body.id as string;
const newTicket = async () => (await desk.make()).id;
const newOrder = async () => (await makeOrder(store.client, store.shop, [{ variant_id, quantity: 1 }])).id;
const newCart = async () => (await makeOrder(store.client, store.shop, [{ variant_id, quantity: 1 }], { place: false })).id;
const newProduct = () => makeProduct(store.client, store.shop.projectId, store.fresh('product'));
const productBody = (values: object, sku = store.fresh('sku')) => ({
  ...{ project_id: store.shop.projectId, title: 'Chair', variants: [{ sku, price_amount: 100, currency: 'EUR' }] },
  ...values,
});
const pay = (order: string, reference: string) =>
  store.client.post(`${ORDERS}/${order}/payments`, { amount: 10, provider: 'bank', reference });
const entryLines = [
  { account_id: books.ids['1100'], debit_amount: 100 },
  { account_id: books.ids['4000'], credit_amount: 100 },
];
const upload = (client: Client, path: string, project: string, rows: readonly string[]) =>
  client.send('post', `${path}?project_id=${project}`, rows.join('\n'), { 'content-type': 'text/csv' });

const REQUESTS: Record<string, Case> = {
  create_item: {
    table: 'inventory_items',
    value: { external_id: 'new' },
    ready: async () => ({
      id: await stock.item(),
      send: () => stock.post('items', { project_id: stock.space.eng.id, sku: 'NEW', name: 'Chair', external_id: 'new' }),
    }),
  },
  'create_item with a SKU': {
    table: 'inventory_items',
    value: { sku: 'taken' },
    ready: async () => ({
      id: await stock.item(),
      send: () => stock.post('items', { project_id: stock.space.eng.id, sku: 'TAKEN', name: 'Chair' }),
    }),
  },
  update_item: {
    table: 'inventory_items',
    value: { external_id: 'changed' },
    ready: async () => {
      const [id, changed] = [await stock.item(), await stock.item()];
      return { id, send: () => stock.api.patch(`${EXT_INVENTORY}/items/${changed}`, { external_id: 'changed' }) };
    },
  },
  record_stock_movement: {
    table: 'stock_movements',
    value: { external_id: 'new' },
    ready: async () => {
      const body = await movement({ external_id: 'new' });
      return { id: await recorded(), send: () => stock.post('movements', body) };
    },
  },
  create_ticket: {
    table: 'desk_tickets',
    value: { external_id: 'new' },
    ready: async () => {
      const body = { subject: 'Printer', requester: { email: 'eve@customer.example' }, message: 'Empty.', notify: false };
      return {
        id: await newTicket(),
        send: () => desk.client.post(TICKETS, { project_id: desk.projectId, ...body, external_id: 'new' }),
      };
    },
  },
  update_ticket: {
    table: 'desk_tickets',
    value: { external_id: 'changed' },
    ready: async () => {
      const [id, changed] = [await newTicket(), await newTicket()];
      return { id, send: () => desk.client.patch(`${TICKETS}/${changed}`, { external_id: 'changed' }) };
    },
  },
  create_order: {
    table: 'storefront_orders',
    value: { external_id: 'new' },
    ready: async () => {
      const body = { project_id: store.shop.projectId, channel_id: store.shop.channelId, lines: [{ variant_id, quantity: 1 }] };
      return { id: await newOrder(), send: () => store.client.post(ORDERS, { ...body, external_id: 'new' }) };
    },
  },
  update_order: {
    table: 'storefront_orders',
    value: { external_id: 'changed' },
    ready: async () => {
      const [id, changed] = [await newCart(), await newCart()];
      return { id, send: () => store.client.patch(`${ORDERS}/${changed}`, { external_id: 'changed' }) };
    },
  },
  record_order_payment: {
    table: 'storefront_payments',
    value: { reference: 'taken' },
    ready: async () => {
      const { body } = await pay(await newOrder(), 'other');
      const order = await newOrder();
      return { id: body.payments[0].id as string, send: () => pay(order, 'taken') };
    },
  },
  create_product: {
    table: 'storefront_products',
    value: { external_id: 'new' },
    ready: async () => ({
      id: (await newProduct()).id,
      send: () => store.client.post(`${EXT_STOREFRONT}/products`, productBody({ external_id: 'new' })),
    }),
  },
  'create_product with a slug': {
    table: 'storefront_products',
    value: { slug: 'taken' },
    ready: async () => ({
      id: (await newProduct()).id,
      send: () => store.client.post(`${EXT_STOREFRONT}/products`, productBody({ slug: 'taken' })),
    }),
  },
  create_invoice: {
    table: 'accounting_invoices',
    value: { external_id: 'new' },
    ready: async () => {
      const { id } = await books.draft(customer.id, [[100, 'VAT19']]);
      const lines = [{ description: 'Work', unit_amount: 100, tax_id: books.ids.VAT19 }];
      return { id, send: () => books.api.post(`${EXT_ACCOUNTING}/invoices`, { customer_id: customer.id, lines, external_id: 'new' }) };
    },
  },
  create_customer: {
    table: 'accounting_customers',
    value: { external_id: 'new' },
    ready: async () => ({
      id: (await books.customer()).id,
      send: () => books.api.post(`${EXT_ACCOUNTING}/customers`, { name: 'Ada', external_id: 'new' }),
    }),
  },
  create_journal_entry: {
    table: 'accounting_journal_entries',
    value: { external_id: 'new' },
    ready: async () => {
      const body = { on: '2026-01-05', memo: 'Sale', lines: entryLines };
      const { id } = await books.post('/journal-entries', body);
      return { id, send: () => books.api.post(`${EXT_ACCOUNTING}/journal-entries`, { ...body, external_id: 'new' }) };
    },
  },
  create_org_employee: {
    table: 'hr_employees',
    value: { number: 'X-1' },
    ready: async () => ({
      id: (await staff.employee()).id,
      send: () =>
        staff.screen.post(`${ORG_HR}/employees`, { project_id: staff.project, name: 'Ada', hired_on: '2020-01-01', number: 'X-1' }),
    }),
  },
};

/** Each file has two rows, and the value is that of the second. */
const IMPORTS: Record<string, Case> = {
  items: {
    table: 'inventory_items',
    value: { external_id: 'row-2' },
    ready: async () => ({
      id: await stock.item(),
      send: () =>
        upload(stock.owner, `${ORG_INVENTORY}/imports/items`, stock.space.eng.id, [
          'sku,name,external_id',
          'ROW-1,First,row-1',
          'ROW-2,Second,row-2',
        ]),
    }),
  },
  counts: {
    table: 'stock_movements',
    value: { external_id: 'count-2' },
    ready: async () => {
      await stock.item({ sku: 'COUNTED' });
      const rows = ['sku,location,quantity,external_id', 'COUNTED,MAIN,1,count-1', 'COUNTED,MAIN,2,count-2'];
      return { id: await recorded(), send: () => upload(stock.owner, `${ORG_INVENTORY}/imports/counts`, stock.space.eng.id, rows) };
    },
  },
  products: {
    table: 'storefront_products',
    value: { external_id: 'row-2' },
    ready: async () => ({
      id: (await newProduct()).id,
      send: () =>
        upload(store.owner, `${ORG_STOREFRONT}/imports/products`, store.shop.projectId, [
          'title,sku,price_amount,currency,external_id',
          'First,row-1,100,EUR,row-1',
          'Second,row-2,100,EUR,row-2',
        ]),
    }),
  },
  customers: {
    table: 'accounting_customers',
    value: { external_id: 'row-2' },
    ready: async () => ({
      id: (await books.customer()).id,
      send: () =>
        upload(books.screen, `${ORG_ACCOUNTING}/imports/customers`, books.project, ['name,external_id', 'First,row-1', 'Second,row-2']),
    }),
  },
  employees: {
    table: 'hr_employees',
    value: { number: 'X-3' },
    ready: async () => ({
      id: (await staff.employee()).id,
      send: () =>
        upload(staff.screen, `${ORG_HR}/employees/import`, staff.project, [
          'number,name,hired_on',
          'X-2,First,2020-01-01',
          'X-3,Second,2020-01-01',
        ]),
    }),
  },
};

describe('a value that another request takes at the same moment is refused like one that exists', () => {
  it.each(Object.entries(REQUESTS))('%s', async (_name, { table, value, ready }) => {
    const ofRace = await ready();
    const { status, body } = await race(table, value, ofRace);
    const [param] = Object.keys(value);
    expect([status, body.error]).toEqual([409, expect.objectContaining({ code: 'duplicate', param, existing_id: ofRace.id })]);
  });

  it('also the SKU of a variant, whose error names the product', async () => {
    const { id, variants } = await newProduct();
    const send = () => store.client.post(`${EXT_STOREFRONT}/products`, productBody({}, 'TAKEN'));
    const { status, body } = await race('storefront_variants', { sku: 'taken' }, { id: variants[0].id, send });
    expect([status, body.error]).toEqual([409, expect.objectContaining({ param: 'variants.0.sku', existing_id: id })]);
  });

  it('of several movements, only the one with the value', async () => {
    const id = await recorded();
    const items = [await movement({ external_id: 'batch-1' }), await movement({ external_id: 'batch-2' })];
    const { body } = await race(
      'stock_movements',
      { external_id: 'batch-2' },
      { id, send: () => stock.post('movements/batch', { items }) },
    );
    expect(body.results).toMatchObject([{ status: 201 }, { status: 409, error: { code: 'duplicate', param: 'items.1.external_id' } }]);
    expect(body.results[1].error.message).toContain(id);
  });

  it.each(Object.entries(IMPORTS))('of the rows of a file, only the one with the value: %s', async (_name, { table, value, ready }) => {
    const ofRace = await ready();
    const { body } = await race(table, value, ofRace);
    expect(body).toMatchObject({ imported: 1, errors: [{ row: 2, code: 'duplicate', message: expect.stringContaining(ofRace.id) }] });
  });
});

it('all tables whose rows have a unique external_id are tried', async () => {
  const { rows } = await app.sql.query<{ tablename: string }>(
    `SELECT tablename FROM pg_indexes WHERE indexdef ~ '^CREATE UNIQUE INDEX [^()]*\\([^()]*\\yexternal_id\\y'`,
  );
  const tried = new Set(Object.values(REQUESTS).map(({ table }) => table));
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ tablename }) => !tried.has(tablename))).toEqual([]);
});
