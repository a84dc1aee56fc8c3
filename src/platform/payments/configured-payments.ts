import { createHash, randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  CommonErrors,
  PaymentProviders,
  PaymentRefused,
  type Ctx,
  type Outbound,
  type PaymentProvider,
  type PaymentRequest,
  type RequestedPayment,
  type RequestedPaymentDto,
  type RequestPaymentDto,
  type WantedPayment,
} from '../../kit/index.js';
import { ManualPayments } from './manual-payments.js';

const PATIENCE_MS = 20_000;

/** `own` resolves the provider of a module when it is first needed, because modules are created after the platform. */
export class ConfiguredPayments extends PaymentProviders {
  private readonly log = new Logger('Payments');
  private readonly manual = new ManualPayments();

  constructor(
    private readonly own: () => PaymentProvider | null,
    private readonly outbound: Outbound,
  ) {
    super();
  }

  async request(ctx: Ctx, wanted: WantedPayment, body: RequestPaymentDto): Promise<RequestedPaymentDto> {
    const { organizationId, mode } = ctx;
    const { amount, currency, subject } = wanted;
    const { provider, reference, url, expiresAt } = await this.ask({
      ...wanted,
      id: requestId(ctx, subject.id),
      organizationId,
      mode,
      returnUrl: body.return_url ?? null,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { object: 'requested_payment', provider, reference, url, amount, currency, expires_at: expiresAt?.toISOString() ?? null };
  }

  private async ask(request: PaymentRequest): Promise<RequestedPayment & { provider: string }> {
    const provider = this.own() ?? this.manual;
    if (provider !== this.manual && !this.outbound.isOpen)
      throw CommonErrors.unavailable({ message: 'Calls to the provider of payments are held back by the operator.' });
    try {
      return { ...(await provider.request(request)), provider: provider.name };
    } catch (error) {
      if (error instanceof PaymentRefused) throw CommonErrors.paymentRefused({ message: error.message });
      this.log.error(`${provider.name} could not be asked: ${error instanceof Error ? error.message : String(error)}`);
      throw CommonErrors.unavailable({ message: `The provider of payments, ${provider.name}, cannot be asked; retry shortly.` });
    }
  }
}

function requestId({ organizationId, mode, idempotencyKey }: Ctx, subject: string): string {
  if (idempotencyKey === null) return randomUUID();
  return createHash('sha256')
    .update(JSON.stringify([organizationId, mode, subject, idempotencyKey]))
    .digest('hex');
}
