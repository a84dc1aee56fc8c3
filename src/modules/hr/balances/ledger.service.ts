import { Injectable } from '@nestjs/common';
import { dayIn, Projects, Store, type Ctx } from '../../../kit/index.js';
import { requireHrDay } from '../model/days.js';
import { Employee } from '../model/employee.entity.js';
import { invalid } from '../model/hr.errors.js';
import { LedgerEntry } from '../model/ledger-entry.entity.js';
import { LeaveType } from '../model/leave-type.entity.js';
import { hundredths } from './leave-accounts.js';
import { LeaveLedger } from './leave-ledger.js';
import type { CreateLeaveEntryDto } from './ledger.dto.js';

/** Entries that people post. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly ledger: LeaveLedger,
  ) {}

  post(ctx: Ctx, body: CreateLeaveEntryDto): Promise<LedgerEntry> {
    return this.store.write(ctx, async (tx) => {
      const employee = await tx.reference(Employee, body.employee_id, 'employee_id');
      const type = await tx.reference(LeaveType, body.leave_type_id, 'leave_type_id', { projectId: employee.project_id });
      const today = dayIn((await this.projects.get(ctx, employee.project_id)).timezone);
      const { kind, on = today, expires_on = null, note } = body;
      requireHrDay('on', on);
      requireHrDay('expires_on', expires_on);
      const amount = hundredths(body.days);
      if (amount === 0) throw invalid('days', 'must not be 0');
      if (amount < 0 && kind !== 'adjustment') throw invalid('days', 'must be positive, or the kind adjustment');
      if (amount < 0 && expires_on !== null) throw invalid('expires_on', 'must be omitted if days are taken away');
      if (expires_on !== null && expires_on < on) throw invalid('expires_on', 'must not be before on');
      const account = await this.ledger.lock(tx, employee, type);
      const entry = { kind, on, amount, expires_on, lot_on: null, automatic: false, note };
      const [id] = await this.ledger.post(tx, account, [entry], ctx.actor);
      await this.ledger.settle(tx, account, type, today);
      return tx.get(LedgerEntry, id);
    });
  }
}
