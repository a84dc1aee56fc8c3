import { Injectable } from '@nestjs/common';
import { PaymentProviders, Store, type Ctx, type RequestedPaymentDto, type RequestPaymentDto } from '../../../kit/index.js';
import { requireState } from '../changes/order-changes.js';
import { Order } from '../model/order.entity.js';
import { StorefrontErrors } from '../model/storefront.errors.js';
import { balanceOf } from '../pricing/order-money.js';

/** Asks the provider of payments how the buyer pays what is due. */
@Injectable()
export class PaymentRequestsService {
  constructor(
    private readonly store: Store,
    private readonly providers: PaymentProviders,
  ) {}

  async request(ctx: Ctx, id: string, body: RequestPaymentDto): Promise<RequestedPaymentDto> {
    const order = await this.store.get(ctx, Order, id);
    requireState(order, ['open', 'completed'], 'paid');
    const amount = balanceOf(order);
    if (amount <= 0) throw StorefrontErrors.invalidTransition({ message: 'Nothing is due for this order.', extra: { state: order.state } });
    const { number, currency, email, project_id: projectId } = order;
    const subject = { type: 'order', id, number: String(number) };
    return this.providers.request(ctx, { projectId, subject, amount, currency, email }, body);
  }
}
