import { Injectable } from '@nestjs/common';
import { changedFrom, Projects, requireCurrency, requireNew, sql, Store, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { AccountingConfig } from '../config/accounting-config.service.js';
import { AccountingCustomer } from '../model/customer.entity.js';
import {
  AccountingCustomerDto,
  type AccountingCustomersQuery,
  type CreateAccountingCustomerDto,
  type UpdateAccountingCustomerDto,
} from './customers.dto.js';
import { AccountingCustomerEvents } from './customers.events.js';

const TERMS_DAYS = 30;

/** Reads and changes customers. */
@Injectable()
export class AccountingCustomers {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: AccountingConfig,
  ) {}

  page(ctx: Ctx, query: AccountingCustomersQuery): Promise<Page<AccountingCustomer>> {
    const { email } = query;
    return this.store.page(ctx, AccountingCustomer, query, ...(email === undefined ? [] : [sql`lower(t.email) = lower(${email})`]));
  }

  async create(ctx: Ctx, { project_id, ...body }: CreateAccountingCustomerDto): Promise<AccountingCustomer> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, project.id, body));
  }

  async createIn(
    ctx: Ctx,
    tx: Tx,
    project_id: string,
    body: Omit<CreateAccountingCustomerDto, 'project_id'>,
    source_event_id: string | null = null,
  ): Promise<AccountingCustomer> {
    requireCurrency('currency', body.currency);
    await requireNew(tx, AccountingCustomer, project_id, 'external_id', body.external_id);
    const { settings } = await this.config.of(tx, project_id);
    const customer = await tx.insert(AccountingCustomer, {
      project_id,
      name: body.name,
      email: body.email ?? null,
      tax_id_number: body.tax_id_number ?? null,
      address: body.address ?? null,
      currency: body.currency ?? settings.currency,
      payment_terms_days: body.payment_terms_days ?? TERMS_DAYS,
      contact_id: body.contact_id ?? null,
      external_id: body.external_id ?? null,
      source_event_id,
      // nobody fills in the customer of a deal
      custom_fields: await tx.customFields.ofNew(AccountingCustomer, body.custom_fields, {
        projectId: project_id,
        isComplete: source_event_id === null,
      }),
      created_by: ctx.actor,
    });
    tx.emit(AccountingCustomerEvents.customerCreated, { object: AccountingCustomerDto.from(customer), projectId: project_id });
    return customer;
  }

  update(ctx: Ctx, id: string, body: UpdateAccountingCustomerDto): Promise<AccountingCustomer> {
    requireCurrency('currency', body.currency);
    return this.store.write(ctx, async (tx) => {
      const customer = await tx.target(AccountingCustomer, id);
      const { name, email, tax_id_number, address, currency, payment_terms_days, contact_id, external_id, custom_fields } = body;
      if (external_id !== customer.external_id) await requireNew(tx, AccountingCustomer, customer.project_id, 'external_id', external_id);
      const changed = await tx.update(customer, {
        name,
        email,
        tax_id_number,
        address,
        currency,
        payment_terms_days,
        contact_id,
        external_id,
        custom_fields: await tx.customFields.ofChanged(customer, custom_fields),
      });
      if (changed.version === customer.version) return changed;
      const object = AccountingCustomerDto.from(changed);
      const previous = changedFrom(AccountingCustomerDto.from(customer), object);
      tx.emit(AccountingCustomerEvents.customerUpdated, { object, previous, projectId: customer.project_id });
      return changed;
    });
  }
}
