import {
  ActorDto,
  ActorField,
  bothOf,
  Field,
  partialOf,
  ResourceDto,
  responseOf,
  shownOf,
  type CustomFieldValues,
  type Mode,
} from '../../../kit/index.js';
import type { Employee } from '../model/employee.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { EMPLOYEE_STATUSES, EMPLOYMENT_TYPES, type EmployeeStatus, type EmploymentType } from '../model/values.js';
import { authorOf } from './author.js';

/** The caller of a read: a key that is bound to a project does not see employees of other projects. */
export interface Viewer {
  projectId: string | null;
  mode: Mode;
}

export class CreateEmployeeDto {
  @Field.uuid({
    description: 'Project of the employee; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Number, unique in the organization; the next one if omitted.',
    example: 'E-7',
    maxLength: 32,
    required: false,
    isIdentifier: true,
  })
  number?: string;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Grace Lindqvist',
    maxLength: 200,
  })
  name: string;

  @Field.email({
    summary: 'if_short',
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
    summary: true,
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
    summary: true,
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
    description: 'Half days worked on Monday to Sunday: 0, 1 (the morning) or 2.',
    example: [2, 2, 2, 2, 1, 0, 0],
    minimum: 0,
    maximum: 2,
    list: { minItems: 7, maxItems: 7, repeats: true },
    default: [2, 2, 2, 2, 2, 0, 0],
    required: false,
  })
  working_week?: number[];

  @Field.uuid({
    description: 'Holidays that apply; null for none.',
    example: EXAMPLE.calendar,
    nullable: true,
    onCreate: 'The first calendar of the project if omitted.',
    required: false,
  })
  holiday_calendar_id?: string | null;

  @Field.customFields('employee')
  custom_fields?: CustomFieldValues;
}

export class UpdateEmployeeDto extends partialOf(CreateEmployeeDto, { omit: ['project_id'] }) {}

/** An employee, as API keys and webhooks see them, without private data. */
export class EmployeeDto extends bothOf(
  ResourceDto,
  shownOf(CreateEmployeeDto, {
    project_id: 'Project of the employee.',
    number: 'Number, unique in the organization.',
    name: true,
    work_email: true,
    work_phone: true,
    department_id: 'Department.',
    position: true,
    manager_id: 'Employee to whom they report; null too if it is somebody of a project that the key does not see.',
    member_id: 'Member of the organization; null in test mode.',
    employment_type: true,
    hired_on: true,
    left_on: { example: null },
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.constant('employee')
  object: string;

  @Field.string({
    description: 'Name of the department. In answers to GET.',
    example: 'Engineering',
    nullable: true,
    required: false,
  })
  department_name?: string | null;

  @Field.string({
    description: 'Name of the manager. In answers to GET.',
    example: 'Mei Tanaka',
    nullable: true,
    required: false,
  })
  manager_name?: string | null;

  @Field.oneOf(EMPLOYEE_STATUSES, {
    summary: true,
    description: 'Follows from hired_on and left_on.',
    example: 'active',
  })
  status: EmployeeStatus;

  @ActorField('Who created it; without id and email in test mode.')
  created_by: ActorDto;

  static from(this: void, employee: Employee, viewer: Viewer): EmployeeDto {
    return {
      ...responseOf(EmployeeDto, employee),
      manager_id: viewer.projectId === null || viewer.projectId === employee.manager_project_id ? employee.manager_id : null,
      // members are real people, but employees in test mode are invented
      member_id: viewer.mode === 'live' ? employee.member_id : null,
      created_by: authorOf(employee),
    };
  }

  /** The object of events, which only endpoints and triggers of its project may get. */
  static ofEvent(this: void, employee: Employee): EmployeeDto {
    return EmployeeDto.from(employee, { projectId: employee.project_id, mode: employee.mode });
  }
}
