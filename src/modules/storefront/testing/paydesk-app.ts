import { Body, Controller, Injectable, Post } from '@nestjs/common';
import {
  CommonErrors,
  Contexts,
  DomainModule,
  Endpoint,
  Field,
  PaymentProvider,
  PaymentRefused,
  Public,
  type PaymentRequest,
  type RequestedPayment,
} from '../../../kit/index.js';
import { InventoryModule } from '../../inventory/inventory.public.js';
import { PaymentsService, StorefrontModule } from '../storefront.public.js';
import { createTestApp, type TestApp } from '../../../../test/harness/app.js';
import type { TestAppOptions } from '../../../../test/harness/test-app.js';

type Checkout = Omit<PaymentRequest, 'signal'>;

const checkouts = new Map<string, Checkout>();
let isDown = false;

export function breakDown(_app: unknown, down: boolean): void {
  isDown = down;
}

/** A payment service that refuses amounts that end in 13. */
@Injectable()
class PaydeskProvider extends PaymentProvider {
  readonly name = 'paydesk';

  request({ signal: _, ...checkout }: PaymentRequest): Promise<RequestedPayment> {
    if (isDown) return Promise.reject(new Error('Paydesk answered 502'));
    if (checkout.amount % 100 === 13) return Promise.reject(new PaymentRefused('Paydesk refuses this amount.'));
    const reference = `pay_${checkout.id}`;
    checkouts.set(reference, checkout);
    return Promise.resolve({ reference, url: `https://paydesk.example/${reference}`, expiresAt: new Date('2030-01-01T00:00:00Z') });
  }
}

class PaydeskReportDto {
  @Field.string({
    description: 'Of the payment.',
    example: 'pay_1',
  })
  reference: string;
}

/** Where Paydesk reports payments. Of a real service, the signature of the body must be verified. */
@Controller('/api/v1/public/paydesk/reports')
class PaydeskReports {
  constructor(
    private readonly contexts: Contexts,
    private readonly payments: PaymentsService,
  ) {}

  @Post()
  @Public('The payment service reports payments')
  @Endpoint({
    operation: 'report_paydesk_payment',
    summary: 'Report a payment',
    status: 204,
    returns: null,
    errors: [CommonErrors.duplicate],
  })
  async receive(@Body() { reference }: PaydeskReportDto): Promise<void> {
    const { organizationId, projectId, mode, subject, amount } = checkouts.get(reference)!;
    const ctx = this.contexts.system({ organizationId, projectId, mode });
    await this.payments.record(ctx, subject.id, { amount, provider: 'paydesk', reference });
  }
}

@DomainModule({
  name: 'paydesk',
  title: 'Paydesk',
  guide: 'For the test of payment providers.',
  scopes: {},
  entities: [],
  imports: [StorefrontModule],
  controllers: [PaydeskReports],
  providers: [PaydeskProvider],
  paymentProvider: PaydeskProvider,
})
class PaydeskModule {}

/** The application with a module that takes payments. */
export function createPaydeskApp(options: TestAppOptions = {}): Promise<TestApp> {
  return createTestApp({ ...options, modules: [InventoryModule, StorefrontModule, PaydeskModule] });
}
