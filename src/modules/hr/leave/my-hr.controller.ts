import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, listBody, own, sql, Store, table, type ListBody } from '../../../kit/index.js';
import { LeaveBalanceDto, MyLeaveBalancesQuery } from '../balances/balances.dto.js';
import { Balances } from '../balances/balances.service.js';
import { EmployeesQuery, OrgEmployeeDto } from '../employees/employees.dto.js';
import { EmployeesService } from '../employees/employees.service.js';
import { Employee } from '../model/employee.entity.js';
import { HrErrors } from '../model/hr.errors.js';
import { LeaveType } from '../model/leave-type.entity.js';
import { LeaveTypeDto, LeaveTypesQuery } from '../setup/setup.dto.js';
import { EmployeeDto } from '../views/employee.dto.js';
import { CreateMyLeaveRequestDto, LEAVE_SECRETS, OrgLeaveRequestDto } from '../views/leave-request.dto.js';
import { LeaveReader } from './leave-reader.js';
import { MyLeaveRequestsQuery } from './leave-requests.dto.js';
import { LeaveRequestsService } from './leave-requests.service.js';
import { HrNames } from '../views/hr-names.service.js';

const permission = null;

/** Routes for members who are employees: their own data, and that of their reports. */
@Controller('/api/v1/org/hr')
export class MyHrController {
  constructor(
    private readonly store: Store,
    private readonly employees: EmployeesService,
    private readonly requests: LeaveRequestsService,
    private readonly reader: LeaveReader,
    private readonly accounts: Balances,
    private readonly names: HrNames,
  ) {}

  @Get('me')
  @Endpoint({
    operation: 'get_my_employee',
    summary: 'Get your own employee record',
    permission,
    returns: OrgEmployeeDto,
    errors: [CommonErrors.notFound],
  })
  async me(@Ctx() ctx: Ctx): Promise<OrgEmployeeDto> {
    return this.names.ofEmployee(ctx, await this.mine(ctx), OrgEmployeeDto.fromRow);
  }

  @Get('leave-types')
  @Endpoint({
    operation: 'list_org_leave_types',
    summary: 'List leave types, hidden ones included',
    permission,
    returns: LeaveTypeDto,
    list: true,
  })
  async types(@Ctx() ctx: Ctx, @Query() query: LeaveTypesQuery): Promise<ListBody<LeaveTypeDto>> {
    return listBody(await this.store.page(ctx, LeaveType, query), LeaveTypeDto.from);
  }

  @Get('me/leave-balances')
  @Endpoint({
    operation: 'list_my_leave_balances',
    summary: 'List your balances of leave',
    permission,
    returns: LeaveBalanceDto,
    list: true,
    errors: [CommonErrors.notFound],
  })
  async balances(@Ctx() ctx: Ctx, @Query() query: MyLeaveBalancesQuery): Promise<ListBody<LeaveBalanceDto>> {
    return this.accounts.page(ctx, query, ofEmployee(await this.mine(ctx)));
  }

  @Get('me/leave-requests')
  @Endpoint({
    operation: 'list_my_leave_requests',
    summary: 'List your leave',
    permission,
    returns: OrgLeaveRequestDto,
    list: true,
    errors: [CommonErrors.notFound],
  })
  async leave(@Ctx() ctx: Ctx, @Query() query: MyLeaveRequestsQuery): Promise<ListBody<OrgLeaveRequestDto>> {
    const page = await this.reader.page(ctx, query, ofEmployee(await this.mine(ctx)));
    return listBody(page, (request) => this.requests.whole(request));
  }

  @Post('me/leave-requests')
  @Endpoint({
    operation: 'create_my_leave_request',
    summary: 'Request leave',
    description: 'Your manager decides, unless the type needs no approval.',
    permission,
    returns: OrgLeaveRequestDto,
    secrets: LEAVE_SECRETS,
    status: 201,
    errors: [CommonErrors.notFound, HrErrors.leaveOverlap, HrErrors.insufficientLeave],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateMyLeaveRequestDto): Promise<OrgLeaveRequestDto> {
    const { id } = await this.mine(ctx);
    return this.requests.whole(await this.requests.submit(ctx, id, body));
  }

  @Get('me/reports')
  @Endpoint({
    operation: 'list_my_reports',
    summary: 'List your direct reports',
    permission,
    returns: EmployeeDto,
    list: true,
    errors: [CommonErrors.notFound],
  })
  async reports(@Ctx() ctx: Ctx, @Query() query: EmployeesQuery): Promise<ListBody<EmployeeDto>> {
    const { id } = await this.mine(ctx);
    const page = await this.employees.page(ctx, query, { manager_id: id });
    return listBody(page, await this.names.ofEmployees(ctx, page.data, (employee) => EmployeeDto.from(employee, ctx)));
  }

  @Get('me/reports/leave-requests')
  @Endpoint({
    operation: 'list_leave_requests_of_my_reports',
    summary: 'List the leave of your direct reports',
    description: 'Hidden types and their reasons are null.',
    permission,
    returns: OrgLeaveRequestDto,
    list: true,
    errors: [CommonErrors.notFound],
  })
  async leaveOfReports(@Ctx() ctx: Ctx, @Query() query: MyLeaveRequestsQuery): Promise<ListBody<OrgLeaveRequestDto>> {
    const { id } = await this.mine(ctx);
    const ofReports = sql`t.employee_id IN (SELECT e.id FROM ${table(Employee)} e WHERE ${own('e')} AND e.manager_id = ${id})`;
    const page = await this.reader.page(ctx, query, ofReports);
    return listBody(page, (request) => this.requests.forManager(request));
  }

  /** Throws 404 if the member is not an employee, or has left. */
  private async mine(ctx: Ctx): Promise<Employee> {
    const [employee] = ctx.memberId === null ? [] : await this.store.list(ctx, Employee, { member_id: ctx.memberId }, PRESENT);
    if (!employee)
      throw CommonErrors.notFound({ message: 'You are not an employee in this mode; members who manage employees can change that.' });
    return employee;
  }
}

const PRESENT = sql`t.status <> 'left'`;

function ofEmployee({ id }: Employee): { employee_id: string } {
  return { employee_id: id };
}
