import { PaymentProvider, type PaymentRequest, type RefundRequest, type RequestedPayment } from '../../kit/index.js';

/** The buyer transfers the money and states the number. Money is moved by hand, here and back. */
export class ManualPayments extends PaymentProvider {
  readonly name = 'manual';

  request({ subject }: PaymentRequest): Promise<RequestedPayment> {
    return Promise.resolve({ reference: subject.number, url: null, expiresAt: null });
  }

  override refund({ id }: RefundRequest): Promise<string> {
    return Promise.resolve(id);
  }
}
