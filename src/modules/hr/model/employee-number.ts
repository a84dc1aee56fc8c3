import { rowKey } from '../../../kit/index.js';
import { Employee } from './employee.entity.js';

export const EMPLOYEE_NUMBER = rowKey(Employee, 'number', { example: 'E-42', title: 'name' });
