import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, sql, Store, type ListBody } from '../../../kit/index.js';
import { LeaveBalanceDto, LeaveBalancesQuery } from '../balances/balances.dto.js';
import { Balances } from '../balances/balances.service.js';
import { LeaveType } from '../model/leave-type.entity.js';
import { LeaveTypeDto, LeaveTypesQuery } from '../setup/setup.dto.js';
import { LeaveRequestDto } from '../views/leave-request.dto.js';
import { LeaveReader } from './leave-reader.js';
import { LeaveRequestsQuery } from './leave-requests.dto.js';

const scope = 'hr:leave:read';
/** Literal, so that the partial indexes without hidden types match. */
const SHOWN = sql`t.shown_leave_type_id IS NOT NULL`;
const NOT_HIDDEN = sql`NOT t.hidden`;

/** Leave for API keys, for which hidden types do not exist. */
@Controller('/api/v1/ext/hr')
export class LeaveController {
  constructor(
    private readonly store: Store,
    private readonly requests: LeaveReader,
    private readonly accounts: Balances,
  ) {}

  @Get('leave-types')
  @Endpoint({
    scope,
    operation: 'list_leave_types',
    summary: 'List leave types',
    returns: LeaveTypeDto,
    list: true,
  })
  async types(@Ctx() ctx: Ctx, @Query() query: LeaveTypesQuery): Promise<ListBody<LeaveTypeDto>> {
    return listBody(await this.store.page(ctx, LeaveType, query, NOT_HIDDEN), LeaveTypeDto.from);
  }

  @Get('leave-requests')
  @Endpoint({
    scope,
    operation: 'list_leave_requests',
    summary: 'List leave',
    description: 'Leave of hidden types has no leave_type_id.',
    returns: LeaveRequestDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: LeaveRequestsQuery): Promise<ListBody<LeaveRequestDto>> {
    return listBody(await this.requests.page(ctx, query), (request) => LeaveRequestDto.from(request, ctx));
  }

  @Get('leave-requests/:id')
  @Endpoint({
    scope,
    operation: 'get_leave_request',
    summary: 'Get one leave request',
    returns: LeaveRequestDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<LeaveRequestDto> {
    return LeaveRequestDto.from(await this.requests.get(ctx, id), ctx);
  }

  @Get('leave-balances')
  @Endpoint({
    scope,
    operation: 'list_leave_balances',
    summary: 'List balances of leave',
    description: 'For the year of as_of.',
    returns: LeaveBalanceDto,
    list: true,
  })
  balances(@Ctx() ctx: Ctx, @Query() query: LeaveBalancesQuery): Promise<ListBody<LeaveBalanceDto>> {
    return this.accounts.page(ctx, query, SHOWN);
  }
}
