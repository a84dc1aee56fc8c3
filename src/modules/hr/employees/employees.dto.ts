import { bothOf, Field, Filter, Listing, ListQuery, shownOf } from '../../../kit/index.js';
import type { Employee } from '../model/employee.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { EMPLOYEE_STATUSES, type EmployeeStatus } from '../model/values.js';
import { CreateEmployeeDto, EmployeeDto, type Viewer } from '../views/employee.dto.js';

@Listing({
  sort: ['name', 'number', 'hired_on'],
  defaultSort: 'name',
  search: 'search',
  searched: 'name, number, work e-mail and position',
  customFields: 'employee',
  unindexed: {
    name: 'An index has all but those who have left, who are read seldom.',
    hired_on: 'An index has all but those who have left, who are read seldom.',
  },
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

/** An employee as members with the permission see them. Private data has a route of its own. */
export class OrgEmployeeDto extends bothOf(EmployeeDto, shownOf(CreateEmployeeDto, { working_week: true, holiday_calendar_id: true })) {
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
