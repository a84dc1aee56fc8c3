export const EMPLOYEE_STATUSES = ['upcoming', 'active', 'left'] as const;
export type EmployeeStatus = (typeof EMPLOYEE_STATUSES)[number];

export const EMPLOYMENT_TYPES = ['full_time', 'part_time', 'contractor', 'intern', 'temporary'] as const;
export type EmploymentType = (typeof EMPLOYMENT_TYPES)[number];

export const LEAVE_STATUSES = ['pending', 'approved', 'rejected', 'cancelled'] as const;
export type LeaveStatus = (typeof LEAVE_STATUSES)[number];

/** The half days of a leave: it starts at noon of the first day, or ends at noon of the last one. */
export const HALF_DAYS = ['start', 'end'] as const;
export type HalfDay = (typeof HALF_DAYS)[number];

export const ENTRY_KINDS = ['grant', 'carry_over', 'use', 'expiry', 'adjustment'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The half days that an employee works, Monday to Sunday: 0, 1 (the morning) or 2. */
export type WorkingWeek = readonly number[];

export const FULL_WEEK: WorkingWeek = [2, 2, 2, 2, 2, 0, 0];
