import { PaymentProvider, type PaymentRequest, type RequestedPayment } from '../../kit/index.js';

/** The buyer transfers the money and states the number. What arrives is recorded by hand. */
export class ManualPayments extends PaymentProvider {
  readonly name = 'manual';

  request({ subject }: PaymentRequest): Promise<RequestedPayment> {
    return Promise.resolve({ reference: subject.number, url: null, expiresAt: null });
  }
}
