import { defineEvents, event } from '../../../kit/index.js';
import { EmployeeDto } from './employee.dto.js';

const permission = 'hr.employee.manage';
const MOVE = {
  from: 'The status before.',
  to: 'The status now.',
  trigger: '`day` if the day came, `update` if somebody changed the dates.',
};

/** Events about employees. Managers in other projects are null, and no event contains private data. */
export const EmployeeEvents = defineEvents({
  employeeCreated: event({ name: 'employee.created', description: 'An employee was created.', permission, payload: EmployeeDto }),
  employeeUpdated: event({
    name: 'employee.updated',
    description: 'An employee was changed. Changes of private data emit no events.',
    permission,
    payload: EmployeeDto,
  }),
  employeeStatusChanged: event({
    name: 'employee.status_changed',
    description: 'An employee has started or left.',
    permission,
    payload: EmployeeDto,
    context: MOVE,
  }),
  employeeHired: event({
    name: 'employee.hired',
    description: 'An employee has started.',
    permission,
    payload: EmployeeDto,
    internal: true,
  }),
  employeeLeft: event({
    name: 'employee.left',
    description: 'An employee has left.',
    permission,
    payload: EmployeeDto,
    internal: true,
  }),
});
