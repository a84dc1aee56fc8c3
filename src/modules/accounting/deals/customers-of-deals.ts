import { Injectable } from '@nestjs/common';
import { Contexts, sql, Store, type Ctx, type InternalEvent } from '../../../kit/index.js';
import { AccountingConfig } from '../config/accounting-config.service.js';
import { AccountingCustomers } from '../customers/customers.service.js';
import { AccountingCustomer } from '../model/customer.entity.js';

/** The members of the event of a won deal that are used here; this module does not import the CRM. */
interface WonDeal {
  currency?: string;
  contacts?: { id: string; full_name: string; email: string | null; company_name: string | null }[];
}

export const DEAL_WON = 'deal.won';

/** Makes the first contact of a won deal a customer, if the settings say so and no customer has the same e-mail address. */
@Injectable()
export class CustomersOfDeals {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly config: AccountingConfig,
    private readonly customers: AccountingCustomers,
  ) {}

  async handle(ctx: Ctx, { id: eventId, type, project_id: projectId, data }: InternalEvent): Promise<void> {
    const { contacts: [contact] = [] } = data as WonDeal;
    if (type !== DEAL_WON || projectId === null || contact === undefined) return;
    const suite = this.contexts.system({ organizationId: ctx.organizationId, projectId, mode: ctx.mode });
    const { settings } = await this.config.read(suite, projectId);
    if (!settings.deal_customers) return;
    await this.store.write(suite, async (tx) => {
      // two deals of one contact may be won at once
      await tx.advanced.mutex(`accounting customer of deals ${projectId} ${ctx.mode}`);
      const { id: contact_id, full_name, email, company_name } = contact;
      const known = await tx.list(AccountingCustomer, { project_id: projectId, source_event_id: eventId });
      const same = sql`lower(t.email) = lower(${email}) OR t.contact_id = ${contact_id}`;
      if (known.length > 0 || (await tx.list(AccountingCustomer, { project_id: projectId }, same)).length > 0) return;
      await this.customers.createIn(suite, tx, projectId, { name: company_name ?? full_name, email, contact_id }, eventId);
    });
  }
}
