import { expect } from '@jest/globals';
import { eventually } from '../../../../test/harness/eventually.js';
import { EXT_STOREFRONT, makeOrder, makeStocked, openShop } from './storefront-fixture.js';
import type { TestApp } from '../../../../test/harness/test-app.js';

export const BOOKS = '/api/v1/ext/accounting';
export const ORG_BOOKS = '/api/v1/org/accounting';
const ORDERS = `${EXT_STOREFRONT}/orders`;

type OrderBooks = Awaited<ReturnType<typeof openOrderBooks>>;

/** A shop with books that invoice its orders; `complete` sets up what invoices need. */
export async function openOrderBooks(app: TestApp, order_invoicing: 'paid' | 'fulfilled') {
  const space = await app.workspace();
  const opened = await openShop(space);
  const { client: books } = await space.key({ module: 'accounting' });
  const project_id = space.eng.id;
  await opened.owner.patch(`${ORG_BOOKS}/settings/${project_id}`, { order_invoicing });
  const post = async (order: { id: string }, action: string, body: object) => {
    const answer = await opened.client.post(`${ORDERS}/${order.id}/${action}`, body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  };
  const list = async (path: string) => (await opened.owner.get(`${ORG_BOOKS}/${path}`)).body.data;
  const postings = async (
    order: { id: string },
    count: number,
    expected: string | readonly string[] = 'done',
  ): Promise<Record<string, unknown>[]> => {
    const read = () => list(`order-postings?order_id=${order.id}&sort=created_at`) as Promise<Record<string, unknown>[]>;
    const found = await eventually(read, (rows) => rows.length === count);
    const statuses = typeof expected === 'string' ? Array.from({ length: count }, () => expected) : expected;
    expect(found.map((one) => [one.status, one.error])).toEqual(
      statuses.map((status) => [status, status === 'failed' ? expect.anything() : null]),
    );
    return found;
  };
  const sell = async (lines: [price: number, quantity: number, tax_class?: string][], values: object = {}) => {
    const made = await Promise.all(
      lines.map(async ([price, quantity, tax_class], index) => {
        const { variantId } = await makeStocked(opened, project_id, `sku-${index}-${price}`, {
          price,
          ...(tax_class ? { tax_class } : {}),
        });
        return { variant_id: variantId, quantity };
      }),
    );
    return makeOrder(opened.client, opened.shop, made, values);
  };
  return { ...opened, project_id, books, post, list, postings, sell };
}

/** Completes the settings of the books. */
export async function complete({ owner, project_id }: Pick<OrderBooks, 'owner' | 'project_id'>) {
  await owner.patch(`${ORG_BOOKS}/settings/${project_id}`, { seller: { name: 'Shop', address: 'Main Street 1' } });
  for (const [code, rate] of [
    ['S19', '19'],
    ['S7', '7'],
  ]) {
    const { status, text } = await owner.post(`${ORG_BOOKS}/tax-rates`, { project_id, code, name: code, rate, category: 'S' });
    if (status !== 201) throw new Error(text);
  }
}
