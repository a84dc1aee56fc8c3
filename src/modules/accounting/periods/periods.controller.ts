import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { AccountingErrors } from '../model/accounting.errors.js';
import { AccountingPeriodDto, CreatePeriodDto, PeriodsQuery } from './periods.dto.js';
import { Periods } from './periods.service.js';

@Controller('/api/v1/ext/accounting/periods')
export class PeriodsController {
  constructor(private readonly periods: Periods) {}

  @Get()
  @Endpoint({
    scope: 'accounting:config:read',
    member: { permission: null },
    operation: 'list_accounting_periods',
    summary: 'List the months of the books',
    description: 'A month that is not listed is open, unless a later one is closed.',
    returns: AccountingPeriodDto,
    list: true,
    lookup: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: PeriodsQuery): Promise<ListBody<AccountingPeriodDto>> {
    return listBody(await this.periods.page(ctx, query), AccountingPeriodDto.from);
  }
}

@Controller('api/v1/org/accounting/periods')
export class OrgPeriodsController {
  constructor(private readonly periods: Periods) {}

  @Post()
  @Endpoint({
    permission: 'accounting.period.close',
    operation: 'create_org_accounting_period',
    summary: 'Create a month of the books',
    description: 'A month also exists from its first entry on.',
    returns: AccountingPeriodDto,
    status: 201,
    errors: [CommonErrors.duplicate, AccountingErrors.periodClosed],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreatePeriodDto): Promise<AccountingPeriodDto> {
    return AccountingPeriodDto.from(await this.periods.create(ctx, body));
  }

  @Post(':id/close')
  @Endpoint({
    permission: 'accounting.period.close',
    operation: 'close_org_accounting_period',
    summary: 'Close a month of the books',
    description: 'Nothing can be posted in a closed month, in live mode or in test mode. All earlier months must be closed.',
    returns: AccountingPeriodDto,
    ifMatch: true,
    errors: [CommonErrors.resourceConflict],
  })
  async close(@Ctx() ctx: Ctx, @Id() id: string): Promise<AccountingPeriodDto> {
    return AccountingPeriodDto.from(await this.periods.close(ctx, id));
  }

  @Post(':id/reopen')
  @Endpoint({
    permission: 'accounting.period.close',
    operation: 'reopen_org_accounting_period',
    summary: 'Reopen a month of the books',
    description: 'Later months must be open.',
    returns: AccountingPeriodDto,
    ifMatch: true,
    errors: [AccountingErrors.periodClosed],
  })
  async reopen(@Ctx() ctx: Ctx, @Id() id: string): Promise<AccountingPeriodDto> {
    return AccountingPeriodDto.from(await this.periods.reopen(ctx, id));
  }
}
