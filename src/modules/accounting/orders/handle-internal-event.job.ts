import { Job, type Ctx, type EventListener, type InternalEvent } from '../../../kit/index.js';
import { CustomersOfDeals, DEAL_WON } from '../deals/customers-of-deals.js';
import { OrderInvoices } from './order-invoices.service.js';

/** Turns won deals into customers and orders into invoices. The name is stored with each job, so it must not change. */
@Job({ name: 'accounting.hear_event' })
export class HandleInternalEvent implements EventListener {
  constructor(
    private readonly deals: CustomersOfDeals,
    private readonly orders: OrderInvoices,
  ) {}

  run(ctx: Ctx, event: InternalEvent): Promise<void> {
    return event.type === DEAL_WON ? this.deals.handle(ctx, event) : this.orders.handle(ctx, event);
  }

  foresee(ctx: Ctx, event: InternalEvent): Promise<readonly string[]> {
    return this.orders.foresee(ctx, event);
  }
}
