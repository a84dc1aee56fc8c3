import { Job, type Ctx, type InternalEvent, type JobHandler } from '../../../kit/index.js';
import { CustomersOfDeals, DEAL_WON } from '../deals/customers-of-deals.js';
import { OrderInvoices } from './order-invoices.service.js';

/** Makes customers of won deals, and invoices of orders. The name is stored with each job, so it must not change. */
@Job({ name: 'accounting.hear_event' })
export class HandleInternalEvent implements JobHandler<InternalEvent> {
  constructor(
    private readonly deals: CustomersOfDeals,
    private readonly orders: OrderInvoices,
  ) {}

  run(ctx: Ctx, event: InternalEvent): Promise<void> {
    return event.type === DEAL_WON ? this.deals.handle(ctx, event) : this.orders.handle(ctx, event);
  }
}
