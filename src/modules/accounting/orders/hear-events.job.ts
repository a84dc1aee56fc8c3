import { Job, type Ctx, type InternalEvent, type JobHandler } from '../../../kit/index.js';
import { CustomersOfDeals, DEAL_WON } from '../deals/customers-of-deals.js';
import { OrderInvoices } from './order-invoices.service.js';

/** Hears of won deals and of orders. */
@Job({ name: 'accounting.hear_event' })
export class HearEvents implements JobHandler<InternalEvent> {
  constructor(
    private readonly deals: CustomersOfDeals,
    private readonly orders: OrderInvoices,
  ) {}

  run(ctx: Ctx, event: InternalEvent): Promise<void> {
    return event.type === DEAL_WON ? this.deals.hear(ctx, event) : this.orders.hear(ctx, event);
  }
}
