import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, Store, type ListBody } from '../../../kit/index.js';
import { LeaveBalanceDto, OrgLeaveBalancesQuery } from '../balances/balances.dto.js';
import { Balances } from '../balances/balances.service.js';
import { CreateLeaveEntryDto, LeaveEntriesQuery, LeaveEntryDto } from '../balances/ledger.dto.js';
import { LedgerService } from '../balances/ledger.service.js';
import { HrErrors } from '../model/hr.errors.js';
import { LedgerEntry } from '../model/ledger-entry.entity.js';
import { CreateLeaveRequestDto, LEAVE_SECRETS, LeaveDecisionDto, OrgLeaveRequestDto } from '../views/leave-request.dto.js';
import { LeaveReader } from './leave-reader.js';
import { OrgLeaveRequestsQuery } from './leave-requests.dto.js';
import { DECIDE, LeaveRequestsService } from './leave-requests.service.js';

const permission = DECIDE;
const DECISION = {
  permission: null,
  returns: OrgLeaveRequestDto,
  secrets: LEAVE_SECRETS,
  ifMatch: true,
  errors: [CommonErrors.permissionDenied, HrErrors.invalidTransition, HrErrors.insufficientLeave],
};
const WHO = 'By the manager of the employee, or with the permission hr.leave.decide; nobody decides on their own leave.';

/** Leave for members who decide on it, with hidden types and reasons. */
@Controller('/api/v1/org/hr')
export class OrgLeaveController {
  constructor(
    private readonly store: Store,
    private readonly requests: LeaveRequestsService,
    private readonly reader: LeaveReader,
    private readonly accounts: Balances,
    private readonly ledger: LedgerService,
  ) {}

  @Get('leave-requests')
  @Endpoint({
    operation: 'list_org_leave_requests',
    summary: 'List leave',
    permission,
    returns: OrgLeaveRequestDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: OrgLeaveRequestsQuery): Promise<ListBody<OrgLeaveRequestDto>> {
    return listBody(await this.reader.page(ctx, query), (request) => this.requests.whole(request));
  }

  @Get('leave-requests/:id')
  @Endpoint({
    operation: 'get_org_leave_request',
    summary: 'Get one leave request',
    permission,
    returns: OrgLeaveRequestDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<OrgLeaveRequestDto> {
    return this.requests.whole(await this.reader.get(ctx, id));
  }

  @Post('leave-requests')
  @Endpoint({
    operation: 'create_org_leave_request',
    summary: 'Record leave for an employee',
    description: 'It is pending unless its type needs no approval.',
    permission,
    returns: OrgLeaveRequestDto,
    secrets: LEAVE_SECRETS,
    status: 201,
    errors: [HrErrors.leaveOverlap, HrErrors.insufficientLeave],
  })
  async create(@Ctx() ctx: Ctx, @Body() { employee_id, ...body }: CreateLeaveRequestDto): Promise<OrgLeaveRequestDto> {
    return this.requests.whole(await this.requests.submit(ctx, employee_id, body));
  }

  @Post('leave-requests/:id/approve')
  @Endpoint({
    ...DECISION,
    operation: 'approve_org_leave_request',
    summary: 'Approve leave',
    description: WHO,
  })
  async approve(@Ctx() ctx: Ctx, @Id() id: string, @Body() { note }: LeaveDecisionDto): Promise<OrgLeaveRequestDto> {
    return this.requests.forDecider(ctx, await this.requests.decide(ctx, id, 'approve', note));
  }

  @Post('leave-requests/:id/reject')
  @Endpoint({
    ...DECISION,
    operation: 'reject_org_leave_request',
    summary: 'Reject leave',
    description: WHO,
  })
  async reject(@Ctx() ctx: Ctx, @Id() id: string, @Body() { note }: LeaveDecisionDto): Promise<OrgLeaveRequestDto> {
    return this.requests.forDecider(ctx, await this.requests.decide(ctx, id, 'reject', note));
  }

  @Post('leave-requests/:id/withdraw')
  @Endpoint({
    ...DECISION,
    operation: 'withdraw_org_leave_request',
    summary: 'Withdraw leave',
    description: 'By the employee until it begins, and with the permission hr.leave.decide at any time. Its days return to the balance.',
    errors: [HrErrors.invalidTransition],
  })
  async withdraw(@Ctx() ctx: Ctx, @Id() id: string): Promise<OrgLeaveRequestDto> {
    return this.requests.whole(await this.requests.withdraw(ctx, id));
  }

  @Get('leave-balances')
  @Endpoint({
    operation: 'list_org_leave_balances',
    summary: 'List balances of leave',
    description: 'For the year of as_of.',
    permission,
    returns: LeaveBalanceDto,
    list: true,
  })
  balances(@Ctx() ctx: Ctx, @Query() query: OrgLeaveBalancesQuery): Promise<ListBody<LeaveBalanceDto>> {
    return this.accounts.page(ctx, query);
  }

  @Get('leave-ledger')
  @Endpoint({
    operation: 'list_org_leave_entries',
    summary: 'List the entries of the leave ledger',
    permission,
    returns: LeaveEntryDto,
    list: true,
  })
  async entries(@Ctx() ctx: Ctx, @Query() query: LeaveEntriesQuery): Promise<ListBody<LeaveEntryDto>> {
    return listBody(await this.store.page(ctx, LedgerEntry, query), LeaveEntryDto.from);
  }

  @Post('leave-ledger')
  @Endpoint({
    operation: 'create_org_leave_entry',
    summary: 'Post an entry to a balance',
    description: 'Entries are never changed; correct one with another.',
    permission,
    returns: LeaveEntryDto,
    status: 201,
  })
  async post(@Ctx() ctx: Ctx, @Body() body: CreateLeaveEntryDto): Promise<LeaveEntryDto> {
    return LeaveEntryDto.from(await this.ledger.post(ctx, body));
  }
}
