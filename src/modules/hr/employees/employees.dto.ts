import { Field, Filter, Listing, ListQuery, partialOf } from '../../../kit/index.js';
import type { Employee } from '../model/employee.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { EMPLOYEE_STATUSES, EMPLOYMENT_TYPES, type EmployeeStatus, type EmploymentType } from '../model/values.js';
import { EmployeeDto, type Viewer } from '../views/employee.dto.js';

@Listing({
  sort: ['name', 'number', 'hired_on'],
  defaultSort: 'name',
  search: 'search',
  searched: 'name, number, work e-mail and position',
})
export class EmployeesQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only employees of these departments, without those below.',
    example: [EXAMPLE.department],
  })
  department_id?: string[];

  @Filter.custom({
    kind: 'uuid',
    description: 'Only employees who report to one of these directly.',
    example: [EXAMPLE.manager],
    list: { maxItems: 50 },
  })
  manager_id?: string[];

  @Filter.custom({
    kind: 'enum',
    values: EMPLOYEE_STATUSES,
    description: 'Only employees in these statuses; without it all who have not left.',
    example: ['active'],
    list: { maxItems: 3 },
  })
  status?: EmployeeStatus[];

  @Filter.custom({
    kind: 'string',
    maxLength: 254,
    description: 'Only employees with these work e-mail addresses.',
    example: ['grace@example.com'],
    list: { maxItems: 50 },
  })
  work_email?: string[];

  @Filter.string({
    description: 'Only employees with these numbers.',
    example: ['E-7'],
  })
  number?: string[];

  @Filter.custom({
    kind: 'uuid',
    description: 'Only employees who are these members.',
    example: [EXAMPLE.member],
    list: { maxItems: 50 },
  })
  member_id?: string[];
}

const WEEK = {
  description: 'Half days worked on Monday to Sunday: 0, 1 (the morning) or 2.',
  example: [2, 2, 2, 2, 1, 0, 0],
  minimum: 0,
  maximum: 2,
  list: { minItems: 7, maxItems: 7, repeats: true },
};
const CALENDAR = { description: 'Holidays that apply; null for none.', example: EXAMPLE.calendar, nullable: true };

/** An employee as members with the permission see them. Private data has a route of its own. */
export class OrgEmployeeDto extends EmployeeDto {
  @Field.integer(WEEK)
  working_week: number[];

  @Field.uuid(CALENDAR)
  holiday_calendar_id: string | null;

  @Field.dateTime({
    description: 'When the personal data was removed.',
    example: null,
    nullable: true,
  })
  anonymized_at: string | null;

  static fromRow(this: void, employee: Employee): OrgEmployeeDto {
    const viewer: Viewer = { projectId: null, mode: employee.mode };
    return {
      ...EmployeeDto.from(employee, viewer),
      member_id: employee.member_id,
      created_by: employee.created_by,
      working_week: [...employee.working_week],
      holiday_calendar_id: employee.holiday_calendar_id,
      anonymized_at: employee.anonymized_at?.toISOString() ?? null,
    };
  }
}

export class CreateEmployeeDto {
  @Field.uuid({
    description: 'Project of the employee; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    description: 'Number, unique in the organization; the next one if omitted.',
    example: 'E-7',
    maxLength: 32,
    required: false,
    isIdentifier: true,
  })
  number?: string;

  @Field.string({
    description: 'Name.',
    example: 'Grace Lindqvist',
    maxLength: 200,
  })
  name: string;

  @Field.email({
    description: 'E-mail address at work.',
    example: 'grace@example.com',
    nullable: true,
    required: false,
  })
  work_email?: string | null;

  @Field.string({
    description: 'Phone number at work.',
    example: '+49 30 1234567',
    maxLength: 40,
    nullable: true,
    required: false,
  })
  work_phone?: string | null;

  @Field.uuid({
    description: 'Department of the same project.',
    example: EXAMPLE.department,
    nullable: true,
    required: false,
  })
  department_id?: string | null;

  @Field.string({
    description: 'What they do.',
    example: 'Engineer',
    maxLength: 100,
    nullable: true,
    required: false,
  })
  position?: string | null;

  @Field.uuid({
    description: 'Employee to whom they report, of any project.',
    example: EXAMPLE.manager,
    nullable: true,
    required: false,
  })
  manager_id?: string | null;

  @Field.uuid({
    description: 'The member of the organization.',
    example: EXAMPLE.member,
    nullable: true,
    required: false,
  })
  member_id?: string | null;

  @Field.oneOf(EMPLOYMENT_TYPES, {
    description: 'Kind of employment.',
    example: 'full_time',
    default: 'full_time',
    required: false,
  })
  employment_type?: EmploymentType;

  @Field.date({
    description: 'First day.',
    example: '2024-03-01',
  })
  hired_on: string;

  @Field.date({
    description: 'Last day.',
    example: '2027-03-31',
    nullable: true,
    required: false,
  })
  left_on?: string | null;

  @Field.integer({
    ...WEEK,
    default: [2, 2, 2, 2, 2, 0, 0],
    required: false,
  })
  working_week?: number[];

  @Field.uuid({
    ...CALENDAR,
    onCreate: 'The first calendar of the project if omitted.',
    required: false,
  })
  holiday_calendar_id?: string | null;
}

export class UpdateEmployeeDto extends partialOf(CreateEmployeeDto, { omit: ['project_id'] }) {}
