import type { Ctx, Mode } from '../callers/ctx.js';
import type { RequestedPaymentDto, RequestPaymentDto } from './requested-payment.dto.js';

/** What a buyer is to pay. */
export interface PaymentRequest {
  /**
   * The same if the caller repeats the call with its `Idempotency-Key` and the same is due: a service that accepts idempotency keys creates
   * one payment. Otherwise another one.
   */
  id: string;
  organizationId: string;
  projectId: string;
  /** In test mode no money may move: use the test account of the service. Live only, unless the provider has `takesTestPayments`. */
  mode: Mode;
  /** What is paid: an order or an invoice. Keep type and id with the payment, to find them again when the service reports it. */
  subject: { type: string; id: string; number: string };
  /** In minor units of the currency. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** The buyer's address, if known. */
  email: string | null;
  /** Where the buyer comes back to, if the caller says so. */
  returnUrl: string | null;
  signal: AbortSignal;
}

/** What is due. */
export type WantedPayment = Pick<PaymentRequest, 'projectId' | 'subject' | 'amount' | 'currency' | 'email'>;

/** How the buyer pays. */
export interface RequestedPayment {
  /** Under which the service, or the buyer's bank, reports the payment. */
  reference: string;
  /** The page on which the buyer pays; null if there is none. */
  url: string | null;
  /** When the page ends; null if it does not. */
  expiresAt: Date | null;
}

/**
 * Takes payments of orders and invoices in place of the built-in provider, `manual`, whose payments are made by hand and recorded. A module
 * names its provider as `paymentProvider` in its manifest. No transaction is open while it is called, and it is not called while outbound
 * work is held back. Each call makes another page, and two open pages can both be paid; what is paid too much is recorded as well, and
 * refunded at the service.
 *
 * What the service reports, the module records: by `PaymentsService` of `work-suite/modules/storefront`, by `Payments` of
 * `work-suite/modules/accounting`, or by the routes `record_order_payment` and `record_payment`. Services report more than once: record the
 * payment with the provider's name and its reference, of which a second one is refused with 409 `duplicate`. Before that, verify the
 * signature, and that organization, project and mode of the report are those of the request for this subject.
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { PaymentProvider, PaymentRefused, type PaymentRequest, type RequestedPayment } from 'work-suite/kit';
 *
 * @Injectable()
 * export class PaydeskProvider extends PaymentProvider {
 *   readonly name = 'paydesk';
 *
 *   async request({ id, subject, amount, currency, returnUrl, signal }: PaymentRequest): Promise<RequestedPayment> {
 *     const headers = { 'content-type': 'application/json', 'idempotency-key': id };
 *     const body = JSON.stringify({ subject, amount, currency, returnUrl });
 *     const response = await fetch('https://paydesk.example/checkouts', { method: 'POST', headers, body, signal });
 *     if (response.status === 422) throw new PaymentRefused('Paydesk does not take this amount.');
 *     if (!response.ok) throw new Error(`Paydesk answered ${response.status}`);
 *     const { reference, url } = (await response.json()) as { reference: string; url: string };
 *     return { reference, url, expiresAt: null };
 *   }
 * }
 * ```
 */
export abstract class PaymentProvider {
  /** The `provider` of its payments: lower case, digits and `_`. */
  abstract readonly name: string;
  /** Whether it is also asked by test keys. Otherwise `manual` answers those. */
  readonly takesTestPayments: boolean = false;
  /**
   * `PaymentRefused` is final, and the caller sees the reason. After any other error, whose message is logged, and after 20 seconds the
   * caller may try again.
   */
  abstract request(request: PaymentRequest): Promise<RequestedPayment>;
}

/**
 * The service never accepts this payment. Callers see the first 200 characters of the message: no personal data, and not what the
 * service wrote, but a sentence of yours.
 *
 * @example
 * ```ts
 * import { PaymentRefused } from 'work-suite/kit';
 *
 * throw new PaymentRefused('Paydesk takes at most 10,000 EUR at once.');
 * ```
 */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
}

/**
 * The provider of payments: that of a module, or else `manual`.
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { PaymentProviders, type Ctx, type RequestedPaymentDto } from 'work-suite/kit';
 *
 * @Injectable()
 * export class Bookings {
 *   constructor(private readonly providers: PaymentProviders) {}
 *
 *   pay(ctx: Ctx, projectId: string, booking: { id: string; number: string }): Promise<RequestedPaymentDto> {
 *     const subject = { type: 'booking', ...booking };
 *     return this.providers.request(ctx, { projectId, subject, amount: 4_900, currency: 'EUR', email: null }, {});
 *   }
 * }
 * ```
 */
export abstract class PaymentProviders {
  /**
   * Asks the current provider, for a route with `ownTransactions`. 409 `payment_refused` if it refuses, 503 if it cannot be asked. Nothing
   * is stored: what arrives is recorded as any other payment. In a dry run nobody is asked: the answer says who would be, and for what.
   */
  abstract request(ctx: Ctx, wanted: WantedPayment, body: RequestPaymentDto): Promise<RequestedPaymentDto>;
}
