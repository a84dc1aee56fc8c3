import { afterAll, expect, it } from '@jest/globals';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startDemoApp } from '../harness/demo.js';
import { eventually } from '../harness/eventually.js';
import { Receiver } from '../harness/receiver.js';
import { signIn } from '../harness/workspace.js';

const receiver = await Receiver.start();
const { app, demo } = await startDemoApp();
const facts = demo.facts();
const [shop, stock, books] = await Promise.all(['Storefront', 'Inventory', 'Accounting'].map(agentOf));

afterAll(async () => {
  await Promise.all([shop, stock, books].map((agent) => agent.close()));
  await receiver.stop();
});

/** An agent with a key of one module. */
async function agentOf(module: string): Promise<McpClient> {
  const agent = new McpClient({ name: module, version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${demo.secret(`${module}, live, full`)}` } };
  await agent.connect(new StreamableHTTPClientTransport(new URL(facts.mcp_url), { requestInit }));
  return agent;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts the fields instead of declaring them
async function call(agent: McpClient, name: string, args: Record<string, unknown>): Promise<any> {
  const result = await agent.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return result.structuredContent;
}

it('three agents sell, ship, invoice and refund an order by tools only, and each step delivers its webhook', async () => {
  const owner = await signIn(app.url, facts.members[0]);
  const subscription = await receiver.subscribe(owner);
  const { data: projects } = await call(shop, 'list_storefront_projects', { key: ['OPS'] });
  const project_id = projects[0].id;
  const { channels, shipping_methods } = await call(shop, 'get_storefront_context', { project_id });
  const { data: products } = await call(shop, 'list_products', { project_id: [project_id], q: 'office chair', fields: ['variants'] });
  const [{ id: variant_id, inventory_item_id }] = products[0].variants;
  const levels = async () => {
    const { data } = await call(stock, 'list_stock_levels', { item_id: [inventory_item_id] });
    const sum = (name: string) => data.reduce((total: number, level: Record<string, string>) => total + Number(level[name]), 0);
    return { on_hand: sum('on_hand'), reserved: sum('reserved') };
  };
  const before = await levels();

  const draft = await call(shop, 'create_order', {
    project_id,
    channel_id: channels.data[0].id,
    shipping_method_id: shipping_methods.data[0].id,
    email: 'ines@customer.example',
    name: 'Ines Duarte',
    shipping_address: { name: 'Ines Duarte', line1: 'Hauptstraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
    lines: [{ variant_id, quantity: 2 }],
  });
  expect(await levels()).toEqual(before);
  const { id } = await call(shop, 'place_order', { id: draft.id });
  expect(await levels()).toEqual({ on_hand: before.on_hand, reserved: before.reserved + 2 });

  const { total_amount } = draft.totals;
  await call(shop, 'record_order_payment', { id, amount: total_amount, provider: 'bank', reference: 'PAY-1001' });
  const shipped = await call(shop, 'fulfill_order', { id, notify: false });
  expect(shipped).toMatchObject({ state: 'completed', payment_state: 'paid', fulfillment_state: 'fulfilled' });
  expect(await levels()).toEqual({ on_hand: before.on_hand - 2, reserved: before.reserved });
  const { data: movements } = await call(stock, 'list_stock_movements', { item_id: [inventory_item_id], limit: 5, sort: '-created_at' });
  expect(movements[0]).toMatchObject({ kind: 'issue', change: '-2' });

  const fields = ['type', 'number', 'status', 'totals', 'credits_id'];
  const invoicesOf = (count: number) =>
    eventually(
      async () => (await call(books, 'list_invoices', { project_id: [project_id], q: 'Ines', sort: 'created_at', fields })).data,
      ({ length }) => length === count,
    );
  const [invoice] = await invoicesOf(1);
  expect(invoice).toMatchObject({ status: 'paid', totals: { gross_amount: total_amount, balance_amount: 0 } });
  expect(invoice.number).toMatch(/^INV-\d{4}-\d{5}$/);

  const refund = { lines: [{ line_id: shipped.lines[0].id, quantity: 1 }], provider: 'bank', reference: 'REF-1001', reason: 'Scratched' };
  const { refunds } = await call(shop, 'refund_order', { id, ...refund });
  const [, note] = await invoicesOf(2);
  expect(note).toMatchObject({
    type: 'credit_note',
    credits_id: invoice.id,
    status: 'paid',
    totals: { gross_amount: refunds[0].amount, balance_amount: 0 },
  });
  const { total_debit_amount, total_credit_amount } = await call(books, 'get_trial_balance', { project_id });
  expect(total_debit_amount).toBe(total_credit_amount);

  const documents = demo.key('Documents, live, full');
  const papers = await eventually(
    async () => (await documents.get(`/api/v1/ext/papers/documents?project_id=${project_id}&q=${invoice.number}`)).body.data,
    ({ length }) => length === 1,
    // the PDFs of the demo's own invoices are made first
  );
  expect(papers[0].state).toBe('finalized');

  const moved = ['order.created', 'stock_reservation.created', 'order.state_changed', 'order.payment_recorded', 'stock.moved'];
  const posted = ['order.fulfillment_changed', 'customer.created', 'invoice.status_changed', 'payment.recorded', 'journal_entry.posted'];
  const last = ['paper.created', 'paper.finalized', 'order.refund_recorded'];
  await eventually(
    () => Promise.resolve(subscription.got().map(({ event }) => event.type)),
    (types) => [...moved, ...posted, ...last].every((type) => types.includes(type)),
  );
});
