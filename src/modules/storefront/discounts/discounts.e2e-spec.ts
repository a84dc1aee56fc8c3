import { expect, it } from '@jest/globals';
import { errorOf } from '../../../../test/kit/client.js';
import { sharedApp } from '../../../../test/kit/hosted-app.js';
import { makeProduct, openStore, ORDERS, ORG_STOREFRONT, type OrderBody } from '../../../../test/kit/storefront-fixture.js';

const app = await sharedApp();
const { owner, shop, client, fresh, act, stocked, discount } = await openStore(app);

it('twenty uses of a discount with the limit 5: five orders open', async () => {
  const { variantId } = await stocked('100');
  const { id, code } = await discount({ kind: 'percentage', value: '5', usage_limit: 5 });
  const bodies = Array.from({ length: 20 }, (_, index) => ({
    project_id: shop.projectId,
    channel_id: shop.channelId,
    shipping_method_id: shop.shippingMethodId,
    email: `buyer-${index}@example.com`,
    discount_code: code,
    lines: [{ variant_id: variantId, quantity: 1 }],
    place: true,
  }));
  const answers = await Promise.all(bodies.map((body) => client.post(ORDERS, body)));
  const opened = answers.filter(({ status }) => status === 201);
  expect(opened).toHaveLength(5);
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect([...errorOf(answer), answer.body.error.reason]).toEqual([409, 'discount_refused', 'discount_code', 'used_up']);
  expect((await owner.get(`${ORG_STOREFRONT}/discounts/${id}`)).body.used_count).toBe(5);
  // cancelling gives the use back
  await act(opened[0].body as OrderBody, 'cancel', { reason: 'Test' });
  expect((await owner.get(`${ORG_STOREFRONT}/discounts/${id}`)).body.used_count).toBe(4);
});

it('discounts are refused with a reason', async () => {
  const { variants } = await makeProduct(client, shop.projectId, fresh('sku'));
  const line = { variant_id: variants[0].id, quantity: 1 };
  const reason = async (values: object, order: object = {}) => {
    const { code } = await discount({ kind: 'percentage', value: '5', ...values });
    const body = {
      project_id: shop.projectId,
      channel_id: shop.channelId,
      lines: [line],
      discount_code: code,
      email: 'a@example.com',
      ...order,
    };
    await client.post(ORDERS, { ...body, place: true });
    return (await client.post(ORDERS, { ...body, place: true })).body.error?.reason;
  };
  expect([
    await reason({ active: false }),
    await reason({ starts_at: '2099-01-01T00:00:00Z' }),
    await reason({ ends_at: '2020-01-01T00:00:00Z' }),
    await reason({ kind: 'fixed_amount', value: '5', currency: 'USD' }),
    await reason({ min_subtotal_amount: 1001 }),
    await reason({ usage_limit: 1 }),
    await reason({ per_email_limit: 1 }, { email: 'A@example.com' }),
    await reason({}),
  ]).toEqual(['inactive', 'not_started', 'ended', 'other_currency', 'subtotal_too_small', 'used_up', 'used_up_by_email', undefined]);
});
