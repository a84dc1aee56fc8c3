import { expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PaymentProvider, PaymentRefused, type PaymentRequest, type RequestedPayment } from '../../kit/index.js';
import { CallContext } from '../persistence/transactions/call-context.js';
import { ConfiguredPayments } from './configured-payments.js';

class Paydesk extends PaymentProvider {
  readonly name = 'paydesk';
  override takesTestPayments = false;
  readonly asked: string[] = [];

  answer = (_: PaymentRequest): Promise<RequestedPayment> =>
    Promise.resolve({ reference: 'pay_1', url: 'https://paydesk.example/1', expiresAt: null });

  request(request: PaymentRequest): Promise<RequestedPayment> {
    this.asked.push(request.id);
    return this.answer(request);
  }
}

const WANTED = { projectId: 'p', subject: { type: 'order', id: 'o', number: 'O-42' }, amount: 500, currency: 'EUR', email: null };
const ACTOR = { type: 'api_key', id: 'k1', email: null } as const;
type Values = Partial<Pick<CallContext, 'mode' | 'actor' | 'idempotencyKey' | 'dryRun'>>;

function contextWith({ mode = 'live', actor = ACTOR, idempotencyKey = 'again', dryRun = false }: Values): CallContext {
  const ctx = new CallContext(null, 'org', null, mode, actor, null, new Set(), new Set());
  return Object.assign(ctx, { idempotencyKey, dryRun });
}

function opened() {
  const paydesk = new Paydesk();
  const payments = new ConfiguredPayments(() => paydesk, { isOpen: true });
  const request = (ctx: Values = {}, wanted: Partial<typeof WANTED> = {}) =>
    payments.request(contextWith(ctx), { ...WANTED, ...wanted }, {});
  return { paydesk, payments, request };
}

test('an id is repeated for the same caller and amount only', async () => {
  const { paydesk, request } = opened();
  await request();
  await request();
  await request({}, { amount: 400 });
  await request({}, { currency: 'USD' });
  await request({ actor: { ...ACTOR, id: 'k2' } });
  await request({ idempotencyKey: null });
  await request({ idempotencyKey: null });
  expect(paydesk.asked[1]).toBe(paydesk.asked[0]);
  expect(new Set(paydesk.asked).size).toBe(paydesk.asked.length - 1);
});

test('a dry run asks nobody, and says who would be asked for what', async () => {
  const { paydesk, payments, request } = opened();
  const { amount, currency } = WANTED;
  expect(await request({ dryRun: true })).toMatchObject({ provider: 'paydesk', reference: 'O-42', url: null, amount, currency });
  // a copy does not tell of which call it is
  await expect(payments.request({ ...contextWith({ dryRun: true }) }, WANTED, {})).rejects.toThrow('not as a copy');
  expect(paydesk.asked).toEqual([]);
  await request();
  expect(paydesk.asked).toHaveLength(1);
});

test('a provider that ignores the signal is left after a while', async () => {
  const { paydesk, request } = opened();
  const patience = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
  jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  try {
    paydesk.answer = () => {
      patience.abort(new Error('Too late'));
      return new Promise(() => undefined);
    };
    await expect(request()).rejects.toMatchObject({ spec: { status: 503 } });
  } finally {
    jest.restoreAllMocks();
  }
});

test('the message of a refusal is cut', async () => {
  const { paydesk, request } = opened();
  paydesk.answer = () => Promise.reject(new PaymentRefused('x'.repeat(10_000)));
  await expect(request()).rejects.toMatchObject({ spec: { status: 409 }, message: 'x'.repeat(200) });
});

test('test keys reach a provider that takes test payments only', async () => {
  const { paydesk, request } = opened();
  expect(await request({ mode: 'test' })).toMatchObject({ provider: 'manual', reference: 'O-42', url: null });
  expect(paydesk.asked).toEqual([]);
  paydesk.takesTestPayments = true;
  expect(await request({ mode: 'test' })).toMatchObject({ provider: 'paydesk', reference: 'pay_1' });
});
