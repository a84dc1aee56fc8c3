import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import {
  AccountingCustomerDto,
  AccountingCustomersQuery,
  CreateAccountingCustomerDto,
  UpdateAccountingCustomerDto,
} from './customers.dto.js';
import { AccountingCustomers } from './customers.service.js';
import { AccountingCustomerEvents } from './customers.events.js';

const member = { permission: 'accounting.invoice.manage' };

@Controller('/api/v1/ext/accounting/customers')
export class AccountingCustomersController {
  constructor(private readonly customers: AccountingCustomers) {}

  @Get()
  @Endpoint({
    scope: 'accounting:config:read',
    member,
    operation: 'list_customers',
    summary: 'List customers',
    returns: AccountingCustomerDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: AccountingCustomersQuery): Promise<ListBody<AccountingCustomerDto>> {
    return listBody(await this.customers.page(ctx, query), AccountingCustomerDto.from);
  }

  @Post()
  @Endpoint({
    scope: 'accounting:invoice:write',
    member,
    operation: 'create_customer',
    summary: 'Create a customer',
    returns: AccountingCustomerDto,
    status: 201,
    errors: [CommonErrors.duplicate],
    emits: [AccountingCustomerEvents.customerCreated],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateAccountingCustomerDto): Promise<AccountingCustomerDto> {
    return AccountingCustomerDto.from(await this.customers.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    scope: 'accounting:invoice:write',
    member,
    operation: 'update_customer',
    summary: 'Change a customer',
    description: 'Issued invoices keep the former name and address.',
    returns: AccountingCustomerDto,
    errors: [CommonErrors.duplicate],
    emits: [AccountingCustomerEvents.customerUpdated],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateAccountingCustomerDto): Promise<AccountingCustomerDto> {
    return AccountingCustomerDto.from(await this.customers.update(ctx, id, body));
  }
}
