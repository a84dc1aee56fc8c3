import { ActorDto, Field, ResourceDto, type Mode } from '../../../kit/index.js';
import type { Employee } from '../model/employee.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { EMPLOYEE_STATUSES, EMPLOYMENT_TYPES, type EmployeeStatus, type EmploymentType } from '../model/values.js';
import { authorOf } from './author.js';

/** The caller of a read: a key that is bound to a project does not see employees of other projects. */
export interface Viewer {
  projectId: string | null;
  mode: Mode;
}

/** An employee, as API keys and webhooks see them, without private data. */
export class EmployeeDto extends ResourceDto {
  @Field.constant('employee')
  object: string;

  @Field.uuid({
    description: 'Project of the employee.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Number, unique in the organization.',
    example: 'E-7',
    maxLength: 32,
  })
  number: string;

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
  })
  work_email: string | null;

  @Field.string({
    description: 'Phone number at work.',
    example: '+49 30 1234567',
    maxLength: 40,
    nullable: true,
  })
  work_phone: string | null;

  @Field.uuid({
    description: 'Department.',
    example: EXAMPLE.department,
    nullable: true,
  })
  department_id: string | null;

  @Field.string({
    description: 'What they do.',
    example: 'Head of Engineering',
    maxLength: 100,
    nullable: true,
  })
  position: string | null;

  @Field.uuid({
    description: 'Employee to whom they report; null too if it is somebody of a project that the key does not see.',
    example: EXAMPLE.manager,
    nullable: true,
  })
  manager_id: string | null;

  @Field.uuid({
    description: 'Member of the organization; null in test mode.',
    example: EXAMPLE.member,
    nullable: true,
  })
  member_id: string | null;

  @Field.oneOf(EMPLOYEE_STATUSES, {
    description: 'Follows from hired_on and left_on.',
    example: 'active',
  })
  status: EmployeeStatus;

  @Field.oneOf(EMPLOYMENT_TYPES, {
    description: 'Kind of employment.',
    example: 'full_time',
  })
  employment_type: EmploymentType;

  @Field.date({
    description: 'First day.',
    example: '2024-03-01',
  })
  hired_on: string;

  @Field.date({
    description: 'Last day.',
    example: null,
    nullable: true,
  })
  left_on: string | null;

  @Field.object(() => ActorDto, {
    description: 'Who created it; without id and email in test mode.',
    example: { type: 'user', id: EXAMPLE.member, email: 'hr@example.com' },
  })
  created_by: ActorDto;

  static from(this: void, employee: Employee, viewer: Viewer): EmployeeDto {
    const { id, project_id, number, name, work_email, work_phone, department_id, position, status, employment_type } = employee;
    const { hired_on, left_on, version } = employee;
    return {
      object: 'employee',
      id,
      project_id,
      number,
      name,
      work_email,
      work_phone,
      department_id,
      position,
      manager_id: viewer.projectId === null || viewer.projectId === employee.manager_project_id ? employee.manager_id : null,
      // members are real people, but employees in test mode are invented
      member_id: viewer.mode === 'live' ? employee.member_id : null,
      status,
      employment_type,
      hired_on,
      left_on,
      created_by: authorOf(employee),
      version,
      created_at: employee.created_at.toISOString(),
      updated_at: employee.updated_at.toISOString(),
    };
  }

  /** The object of events, which only endpoints and triggers of its project may get. */
  static ofEvent(this: void, employee: Employee): EmployeeDto {
    return EmployeeDto.from(employee, { projectId: employee.project_id, mode: employee.mode });
  }
}
