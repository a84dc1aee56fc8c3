import { Injectable } from '@nestjs/common';
import type { Project, ProjectSetup, Tx } from '../../../kit/index.js';
import { HolidayCalendar } from '../model/holiday-calendar.entity.js';
import { LeaveType } from '../model/leave-type.entity.js';

const NO_CARRY_OVER = { carry_over_days: '0', carry_over_expires: null };

/** The migration `hr-defaults` creates the same for existing projects. */
const TYPES = [
  {
    name: 'Vacation',
    paid: true,
    days_per_year: '25',
    requires_approval: true,
    allow_negative: false,
    hidden: false,
    carry_over_days: '5',
    carry_over_expires: '03-31',
  },
  {
    name: 'Sick leave',
    paid: true,
    days_per_year: null,
    requires_approval: false,
    allow_negative: true,
    hidden: true,
    ...NO_CARRY_OVER,
  },
  {
    name: 'Unpaid leave',
    paid: false,
    days_per_year: null,
    requires_approval: true,
    allow_negative: true,
    hidden: false,
    ...NO_CARRY_OVER,
  },
];

/** Creates the leave types and the holiday calendar of a new project. */
@Injectable()
export class HrProjectSetup implements ProjectSetup {
  async setUpProject(tx: Tx, { id: project_id }: Project): Promise<void> {
    await tx.insert(HolidayCalendar, { project_id, name: 'Standard' });
    for (const type of TYPES) await tx.insert(LeaveType, { ...type, project_id, active: true });
  }
}
