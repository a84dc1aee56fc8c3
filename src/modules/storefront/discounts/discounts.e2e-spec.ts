import { expect, it } from '@jest/globals';
import { errorOf } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { makeProduct, openStore, ORDERS, ORG_STOREFRONT, type OrderBody } from '../testing/storefront-fixture.js';

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
    await reason({ min_subtotal_amount: 1001, currency: 'EUR' }),
    await reason({ min_subtotal_amount: 999, currency: 'USD' }),
    await reason({ min_subtotal_amount: 1000, currency: 'EUR' }),
    await reason({ usage_limit: 1 }),
    await reason({ per_email_limit: 1 }, { email: 'A@example.com' }),
    await reason({}),
  ]).toEqual([
    'inactive',
    'not_started',
    'ended',
    'other_currency',
    'subtotal_too_small',
    'other_currency',
    undefined,
    'used_up',
    'used_up_by_email',
    undefined,
  ]);
});

it('a fixed amount is in minor units, without a decimal point; a percentage may have one', async () => {
  const at = `${ORG_STOREFRONT}/discounts`;
  const create = async (values: object) => (await owner.post(at, { project_id: shop.projectId, code: fresh('code'), ...values })).body;
  for (const value of ['10.00', '10.0', '10.5'])
    expect((await create({ kind: 'fixed_amount', value, currency: 'EUR' })).error).toMatchObject({
      param: 'value',
      message: 'value must be a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY',
    });
  expect(await create({ kind: 'fixed_amount', value: '1000', currency: 'EUR' })).toMatchObject({ value: '1000' });
  expect(await create({ kind: 'percentage', value: '10.50' })).toMatchObject({ value: '10.5' });
});

it('the smallest subtotal of a discount has a currency, which stays', async () => {
  const at = `${ORG_STOREFRONT}/discounts`;
  const create = (values: object) =>
    owner.post(at, { project_id: shop.projectId, code: fresh('code'), kind: 'percentage', value: '5', ...values });
  for (const values of [{}, { kind: 'free_shipping', value: null }]) {
    expect(errorOf(await create({ ...values, min_subtotal_amount: 5000 }))).toEqual([400, 'missing_fields', 'currency']);
    expect(errorOf(await create({ ...values, min_subtotal_amount: 5000, currency: 'XQQ' }))).toEqual([
      400,
      'validation_failed',
      'currency',
    ]);
    const { body } = await create({ ...values, min_subtotal_amount: 5000, currency: 'EUR' });
    expect(body).toMatchObject({ min_subtotal_amount: 5000, currency: 'EUR' });
    expect(errorOf(await owner.patch(`${at}/${body.id}`, { currency: 'USD' }))).toEqual([400, 'validation_failed', 'currency']);
    expect(errorOf(await owner.patch(`${at}/${body.id}`, { currency: null }))).toEqual([400, 'validation_failed', 'currency']);
  }
  const { body: free } = await create({});
  expect(errorOf(await owner.patch(`${at}/${free.id}`, { min_subtotal_amount: 1 }))).toEqual([400, 'missing_fields', 'currency']);
  expect((await owner.patch(`${at}/${free.id}`, { min_subtotal_amount: 1, currency: 'EUR' })).body).toMatchObject({ currency: 'EUR' });
});
