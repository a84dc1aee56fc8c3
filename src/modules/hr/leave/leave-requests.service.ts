import { Injectable } from '@nestjs/common';
import { CommonErrors, dayIn, Projects, Settings, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { daysOf } from '../balances/leave-accounts.js';
import { LeaveLedger } from '../balances/leave-ledger.js';
import { dayNumber, requireHrDay } from '../model/days.js';
import { Employee, NOT_LEFT } from '../model/employee.entity.js';
import { HrErrors, invalid } from '../model/hr.errors.js';
import type { LeaveAccount } from '../model/leave-account.entity.js';
import { LeaveRequest } from '../model/leave-request.entity.js';
import { LeaveType } from '../model/leave-type.entity.js';
import type { LeaveStatus } from '../model/values.js';
import { LeaveRequestDto, type CreateMyLeaveRequestDto, type OrgLeaveRequestDto } from '../views/leave-request.dto.js';
import { LeaveCalendar, totalOf } from './leave-calendar.js';
import { halfDayRange } from './leave-days.js';
import { LeaveEvents } from '../views/leave-request.events.js';
import { withoutType } from '../views/names.js';

export const DECIDE = 'hr.leave.decide';
const LONGEST_DAYS = 366;
const NONE: ReadonlyMap<string, number> = new Map();

export type Decision = 'approve' | 'reject';

/**
 * Handles leave requests from submission on. Locks the employee's row first, so that changes of one person's leave run one after the
 * other.
 */
@Injectable()
export class LeaveRequestsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly settings: Settings,
    private readonly calendar: LeaveCalendar,
    private readonly ledger: LeaveLedger,
  ) {}

  submit(ctx: Ctx, employeeId: string, body: CreateMyLeaveRequestDto): Promise<LeaveRequest> {
    const span = { starts_on: body.starts_on, ends_on: body.ends_on, half_day: body.half_day ?? null };
    requireSpan(span);
    return this.store.write(ctx, async (tx) => {
      const employee = await tx.reference(Employee, employeeId, 'employee_id', { ...NOT_LEFT, lock: 'update' });
      requireEmployed(employee, span);
      const type = await tx.reference(LeaveType, body.leave_type_id, 'leave_type_id', {
        projectId: employee.project_id,
        where: ({ active }) => active,
        message: 'must be an active leave type of the project of the employee',
      });
      const days = await this.calendar.daysOf(tx, employee, span);
      if (days.size === 0) throw invalid('ends_on', 'must include at least half a working day: there is none between the two days');
      const account = await this.ledger.lock(tx, employee, type);
      // pending leave counts as if it were approved, or two requests could both use the last day
      await this.ledger.requireCovered(tx, account, type, days, await this.pendingOf(tx, employee, type));
      const request = await tx.insert(LeaveRequest, {
        decided_by: null,
        sealed_note: null,
        ...span,
        project_id: employee.project_id,
        employee_id: employee.id,
        leave_type_id: type.id,
        half_days: halfDayRange(span),
        days: daysOf(totalOf(days)),
        status: type.requires_approval ? 'pending' : 'approved',
        decided_at: type.requires_approval ? null : tx.startedAt,
        working_week: type.requires_approval ? null : employee.working_week,
        sealed_reason: this.seal(body.reason),
        recompute: false,
        created_by: ctx.actor,
      });
      const object = LeaveRequestDto.from(request);
      tx.emit(LeaveEvents.leaveRequestCreated, { object, projectId: request.project_id });
      if (request.status === 'approved') await this.approved(ctx, tx, account, type, request, days);
      return request;
    });
  }

  /** Decides a request: by the manager, or by members who decide on all leave. Nobody decides on their own request. */
  decide(ctx: Ctx, id: string, decision: Decision, note: string | null | undefined): Promise<LeaveRequest> {
    return this.store.write(ctx, async (tx) => {
      const employee = await tx.lock(Employee, (await tx.get(LeaveRequest, id)).employee_id);
      await requireDecider(ctx, tx, employee);
      const request = await tx.target(LeaveRequest, id);
      requireStatus(request, ['pending']);
      const decided = { decided_at: tx.startedAt, decided_by: ctx.actor, sealed_note: this.seal(note) };
      if (decision === 'reject') return this.move(tx, request, { ...decided, status: 'rejected' }, 'reject');
      const type = await tx.get(LeaveType, request.leave_type_id);
      // as counted now; from here on only holidays change them
      const days = await this.calendar.daysOf(tx, employee, request);
      const account = await this.ledger.lock(tx, employee, type);
      await this.ledger.requireCovered(tx, account, type, days, []);
      const { working_week } = employee;
      const changes = { ...decided, status: 'approved' as const, days: daysOf(totalOf(days)), working_week, recompute: false };
      const approved = await this.move(tx, request, changes, 'approve');
      await this.approved(ctx, tx, account, type, approved, days);
      return approved;
    });
  }

  /** Withdraws leave: the employee until it begins, members who decide on all leave at any time. Its days are returned. */
  withdraw(ctx: Ctx, id: string): Promise<LeaveRequest> {
    return this.store.write(ctx, async (tx) => {
      const employee = await tx.lock(Employee, (await tx.get(LeaveRequest, id)).employee_id);
      const isOwn = employee.member_id !== null && employee.member_id === ctx.memberId;
      if (!isOwn && !ctx.permissions.has(DECIDE)) throw CommonErrors.notFound();
      const request = await tx.target(LeaveRequest, id);
      requireStatus(request, ['pending', 'approved']);
      const today = await this.today(ctx, employee.project_id);
      if (isOwn && request.starts_on <= today)
        throw HrErrors.invalidTransition({
          message: 'Your leave has begun, so only somebody else who decides on all leave can withdraw it.',
        });
      const cancelled = await this.move(tx, request, { status: 'cancelled', recompute: false }, 'withdraw');
      if (request.status === 'approved') await this.recount(ctx, tx, employee, cancelled, NONE, today);
      return cancelled;
    });
  }

  /** Recounts the days after a holiday has changed, and those of pending leave after the working week has. */
  recompute(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const employee = await tx.lock(Employee, (await tx.get(LeaveRequest, id)).employee_id);
      const request = await tx.lock(LeaveRequest, id);
      if (!request.recompute) return;
      const isOpen = request.status === 'pending' || request.status === 'approved';
      const week = request.working_week ?? employee.working_week;
      const days = isOpen ? await this.calendar.daysOf(tx, { ...employee, working_week: week }, request) : NONE;
      await tx.update(request, { recompute: false, ...(isOpen ? { days: daysOf(totalOf(days)) } : {}) });
      if (request.status === 'approved') await this.recount(ctx, tx, employee, request, days, await this.today(ctx, employee.project_id));
    });
  }

  private async recount(ctx: Ctx, tx: Tx, employee: Employee, request: LeaveRequest, days: ReadonlyMap<string, number>, today: string) {
    const type = await tx.get(LeaveType, request.leave_type_id);
    const account = await this.ledger.lock(tx, employee, type);
    await this.ledger.useFor(ctx, tx, account, request.id, days);
    await this.ledger.settle(tx, account, type, today);
  }

  private async approved(
    ctx: Ctx,
    tx: Tx,
    account: LeaveAccount,
    type: LeaveType,
    request: LeaveRequest,
    days: ReadonlyMap<string, number>,
  ) {
    await this.ledger.useFor(ctx, tx, account, request.id, days);
    // leave in the past may have used days that have expired since
    await this.ledger.settle(tx, account, type, await this.today(ctx, request.project_id));
    tx.emit(LeaveEvents.leaveApproved, { object: LeaveRequestDto.from(request), projectId: request.project_id });
  }

  private async move(tx: Tx, request: LeaveRequest, changes: Partial<LeaveRequest>, trigger: string): Promise<LeaveRequest> {
    const moved = await tx.update(request, changes);
    tx.emit(LeaveEvents.leaveRequestStatusChanged, {
      object: LeaveRequestDto.from(moved),
      previous: { status: request.status },
      context: { from: request.status, to: moved.status, trigger },
      projectId: moved.project_id,
    });
    return moved;
  }

  private async pendingOf(tx: Tx, employee: Employee, type: LeaveType): Promise<Map<string, number>[]> {
    const pending = await tx.list(LeaveRequest, { employee_id: employee.id, leave_type_id: type.id, status: 'pending' });
    const days: Map<string, number>[] = [];
    for (const request of pending) days.push(await this.calendar.daysOf(tx, employee, request));
    return days;
  }

  private async today(ctx: Ctx, projectId: string): Promise<string> {
    return dayIn((await this.projects.get(ctx, projectId)).timezone);
  }

  /** Ids of a project's leave types by name. */
  async typesOf(ctx: Ctx, project_id: string): Promise<Record<string, string>> {
    return Object.fromEntries((await this.store.list(ctx, LeaveType, { project_id })).map(({ id, name }) => [name, id]));
  }

  /** All fields, for the employee and for members who decide on all leave. */
  whole(request: LeaveRequest): OrgLeaveRequestDto {
    const { leave_type_id, sealed_reason, sealed_note, decided_by, created_by } = request;
    const shown = { ...LeaveRequestDto.from(request), ...request.names };
    return { ...shown, leave_type_id, reason: this.open(sealed_reason), note: this.open(sealed_note), decided_by, created_by };
  }

  /** For managers, who see neither hidden types nor their reasons. */
  forManager(request: LeaveRequest): OrgLeaveRequestDto {
    const whole = this.whole(request);
    if (request.shown_leave_type_id !== null) return whole;
    return { ...whole, ...withoutType(request.names), leave_type_id: null, reason: null };
  }

  forDecider(ctx: Ctx, request: LeaveRequest): OrgLeaveRequestDto {
    return ctx.permissions.has(DECIDE) ? this.whole(request) : this.forManager(request);
  }

  private seal(text: string | null | undefined): string | null {
    return text ? this.settings.encrypt(text) : null;
  }

  private open(sealed: string | null): string | null {
    return sealed === null ? null : this.settings.decrypt(sealed);
  }
}

async function requireDecider(ctx: Ctx, tx: Tx, employee: Employee): Promise<void> {
  if (employee.member_id !== null && employee.member_id === ctx.memberId)
    throw CommonErrors.permissionDenied({ message: 'Nobody decides on their own leave.' });
  if (ctx.permissions.has(DECIDE)) return;
  const manager = employee.manager_id === null ? null : await tx.find(Employee, employee.manager_id);
  // it does not exist for other callers
  if (manager === null || manager.status === 'left' || ctx.memberId === null || manager.member_id !== ctx.memberId)
    throw CommonErrors.notFound();
}

function requireStatus(request: LeaveRequest, allowed: readonly LeaveStatus[]): void {
  if (allowed.includes(request.status)) return;
  throw HrErrors.invalidTransition({ message: `The leave request is ${request.status}; it must be ${allowed.join(' or ')}.` });
}

function requireSpan({ starts_on, ends_on }: { starts_on: string; ends_on: string }): void {
  requireHrDay('starts_on', starts_on);
  requireHrDay('ends_on', ends_on);
  if (ends_on < starts_on) throw invalid('ends_on', 'must not be before starts_on');
  if (dayNumber(ends_on) - dayNumber(starts_on) > LONGEST_DAYS)
    throw invalid('ends_on', `must be at most ${LONGEST_DAYS} days after starts_on`);
}

function requireEmployed({ hired_on, left_on }: Employee, { starts_on, ends_on }: { starts_on: string; ends_on: string }): void {
  if (starts_on < hired_on) throw invalid('starts_on', `must not be before the first day of the employee, ${hired_on}`);
  if (left_on !== null && ends_on > left_on) throw invalid('ends_on', `must not be after the last day of the employee, ${left_on}`);
}
