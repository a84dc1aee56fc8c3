// What other modules, the demo and tests may use of this one.
export { DepartmentsService } from './departments/departments.service.js';
export { EmployeesService } from './employees/employees.service.js';
export { PrivateDataService } from './employees/private-data.service.js';
export { LeaveRequestsService } from './leave/leave-requests.service.js';
export { HrSetup } from './setup/setup.service.js';
