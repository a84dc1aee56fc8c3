// What other modules may use of this one: its main records, for @BeforeWrite.
export { HrModule } from './hr.module.js';
export { Employee } from './model/employee.entity.js';
