import { createHash, randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  CommonErrors,
  PaymentProviders,
  PaymentRefused,
  type Ctx,
  type Mode,
  type Outbound,
  type PaymentProvider,
  type PaymentRequest,
  type RequestedPayment,
  type RequestedPaymentDto,
  type RequestPaymentDto,
  type WantedPayment,
} from '../../kit/index.js';
import { isDryRun } from '../persistence/transactions/call-context.js';
import { within } from '../net/within.js';
import { ManualPayments } from './manual-payments.js';

const PATIENCE_MS = 20_000;
/** Of what a provider says about an error. */
const MOST_CHARACTERS = 200;

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
    if (isDryRun(ctx)) {
      const { name } = this.askable(mode);
      return { object: 'requested_payment', provider: name, reference: subject.number, url: null, amount, currency, expires_at: null };
    }
    const { provider, reference, url, expiresAt } = await this.ask({
      ...wanted,
      id: requestId(ctx, wanted),
      organizationId,
      mode,
      returnUrl: body.return_url ?? null,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { object: 'requested_payment', provider, reference, url, amount, currency, expires_at: expiresAt?.toISOString() ?? null };
  }

  private async ask(request: PaymentRequest): Promise<RequestedPayment & { provider: string }> {
    const provider = this.askable(request.mode);
    try {
      return { ...(await within(request.signal, provider.request(request))), provider: provider.name };
    } catch (error) {
      if (error instanceof PaymentRefused) throw CommonErrors.paymentRefused({ message: error.message.slice(0, MOST_CHARACTERS) });
      const reason = error instanceof Error ? error.message : String(error);
      this.log.error(`${provider.name} could not be asked: ${reason.slice(0, MOST_CHARACTERS)}`);
      throw CommonErrors.unavailable({ message: `The provider of payments, ${provider.name}, cannot be asked; retry shortly.` });
    }
  }

  /** Throws if the provider cannot be asked now. */
  private askable(mode: Mode): PaymentProvider {
    const provider = this.providerFor(mode);
    if (provider !== this.manual && !this.outbound.isOpen)
      throw CommonErrors.unavailable({ message: 'Calls to the provider of payments are held back by the operator.' });
    return provider;
  }

  private providerFor(mode: Mode): PaymentProvider {
    const own = this.own();
    return own && (mode === 'live' || own.takesTestPayments) ? own : this.manual;
  }
}

/** A service answers a repeated id with the page that it made first, so the id is that of one caller and one amount. */
function requestId({ organizationId, mode, actor, idempotencyKey }: Ctx, { subject, amount, currency }: WantedPayment): string {
  if (idempotencyKey === null) return randomUUID();
  return createHash('sha256')
    .update(JSON.stringify([organizationId, mode, actor.type, actor.id, subject.type, subject.id, amount, currency, idempotencyKey]))
    .digest('hex');
}
