import { own, personalData, sql, table, type Actor, type Person, type Sql } from '../../../kit/index.js';
import { Employee } from '../model/employee.entity.js';
import { LeaveRequest } from '../model/leave-request.entity.js';
import { PrivateData } from '../model/private-data.entity.js';

const NOBODY: Actor = { type: 'user', id: null, email: null };

const theirs = ({ email }: Person): Sql => sql`
  (SELECT e.id FROM ${table(Employee)} e WHERE ${own('e')} AND lower(e.work_email) = ${email} AND e.status = 'left')`;

/** What the module stores about people: employees. Figures stay, as after `anonymize_org_employee`. */
export const HR_PERSONAL_DATA = [
  personalData(PrivateData, { title: 'private data of employees', where: (person) => sql`t.id IN ${theirs(person)}`, erase: 'delete' }),
  personalData(LeaveRequest, {
    title: 'requests for leave',
    where: (person) => sql`t.employee_id IN ${theirs(person)}`,
    erase: { sealed_reason: null, sealed_note: null, created_by: NOBODY },
  }),
  personalData(Employee, {
    title: 'employees',
    where: ({ email }) => sql`lower(t.work_email) = ${email}`,
    names: ['name'],
    erase: {
      name: sql`'Former employee ' || t.number`,
      work_email: null,
      work_phone: null,
      position: null,
      member_id: null,
      custom_fields: {},
      anonymized_at: sql`now()`,
    },
    keep: { where: sql`t.status <> 'left'`, why: 'Employed, or to be employed: the data is needed until the employee has left.' },
  }),
];
