import { DomainModule } from '../../kit/index.js';
import { Balances } from './balances/balances.service.js';
import { LeaveAccounts } from './balances/leave-accounts.js';
import { LeaveLedger } from './balances/leave-ledger.js';
import { LedgerService } from './balances/ledger.service.js';
import { DepartmentsService } from './departments/departments.service.js';
import { DirectoryController } from './departments/directory.controller.js';
import { OrgDepartmentsController } from './departments/org-departments.controller.js';
import { EmployeeImport } from './employees/employee-import.service.js';
import { EmployeesController } from './employees/employees.controller.js';
import { EmployeeEvents } from './views/employee.events.js';
import { EmployeesService } from './employees/employees.service.js';
import { OrgChart } from './employees/org-chart.service.js';
import { OrgEmployeesController } from './employees/org-employees.controller.js';
import { PrivateDataService } from './employees/private-data.service.js';
import { HR_GUIDE } from './hr.guide.js';
import { ExpireLeave, GrantLeave } from './jobs/leave-years.scheduled-job.js';
import { RecomputeLeave } from './jobs/recompute.scheduled-job.js';
import { ChangeStatuses } from './jobs/statuses.scheduled-job.js';
import { Absences } from './leave/absences.service.js';
import { LeaveCalendar } from './leave/leave-calendar.js';
import { LeaveReader } from './leave/leave-reader.js';
import { LeaveEvents } from './views/leave-request.events.js';
import { LeaveRequestsService } from './leave/leave-requests.service.js';
import { LeaveController } from './leave/leave.controller.js';
import { MyHrController } from './leave/my-hr.controller.js';
import { OrgLeaveController } from './leave/org-leave.controller.js';
import { Department } from './model/department.entity.js';
import { Employee } from './model/employee.entity.js';
import { Holiday, HolidayCalendar } from './model/holiday-calendar.entity.js';
import { HrErrors } from './model/hr.errors.js';
import { LeaveAccount } from './model/leave-account.entity.js';
import { LeaveRequest } from './model/leave-request.entity.js';
import { LeaveType } from './model/leave-type.entity.js';
import { LedgerEntry } from './model/ledger-entry.entity.js';
import { PrivateData } from './model/private-data.entity.js';
import { HrProjectSetup } from './setup/hr-project-setup.js';
import { OrgHrSetupController } from './setup/org-hr-setup.controller.js';
import { HrSetup } from './setup/setup.service.js';
import { HR_DEMO } from './hr.demo.js';
import { HR_PERSONAL_DATA } from './employees/hr.personal-data.js';
import { HR_TRIGGERS } from './hr.triggers.js';
import { HrNames } from './views/hr-names.service.js';

/**
 * Employees and their leave. API keys only read, and see what is in `views/`, which never contains private data.
 * - `model/` entities, errors, days; `views/` what keys, webhooks and lists show, and the events
 * - `setup/` leave types and holidays; `departments/` departments and the directory for keys
 * - `employees/` employees, their private data, imports and the org chart
 * - `balances/` the ledger: `allocation` and `settlement` decide without a database
 * - `leave/` requests, absences, and what members see of their own; `jobs/` scheduled jobs: changes of status, yearly grants, expiry
 */
@DomainModule({
  name: 'hr',
  title: 'HR',
  guide: HR_GUIDE,
  agentWords: {
    search: {
      leave: 'vacation holiday pto sick time_off day_off',
      leave_request: 'asked ask applied apply approved request',
      absence: 'vacation holiday sick away off ill out absent today next_week office at_work in_today',
      employee: 'staff worker colleague people person who work works_in how_many join hire hired start started since',
      get_employee: 'job manager title salary',
      department: 'team division unit',
      holiday: 'bank_holiday public closed shut',
      leave_balance: 'left remaining entitlement how_many day_off',
      leave_type: 'kind sick_note reason category',
      org_chart: 'reports_to boss manager hierarchy structure who whom supervisor',
    },
  },
  scopes: {
    'hr:employee:read': 'Read employees, without private data',
    'hr:org:read': 'Read departments, the org chart, holidays and who is away',
    'hr:leave:read': 'Read leave and its balances, without hidden types',
  },
  permissions: {
    'hr.setup.manage': { title: 'Set up leave types, holiday calendars and holidays', roles: ['admin'] },
    'hr.employee.manage': {
      title: 'See, create, import and change employees and departments, and anonymize those who left',
      roles: ['admin'],
    },
    'hr.leave.decide': { title: 'See all leave with its reasons, decide on it, and post to balances', roles: ['admin'] },
    'hr.private.manage': { title: 'See and change private data of employees', roles: ['admin'] },
  },
  customFields: { scope: 'hr:employee:read', byProject: false },
  apiOnly: [
    {
      names: [
        ['Employees', 'create_org_employee'],
        ['departments', 'create_org_department'],
      ],
      text: 'who works where',
    },
    {
      names: [
        ['Leave types', 'create_org_leave_type'],
        ['holiday calendars', 'create_org_holiday_calendar'],
        ['leave entries', 'create_org_leave_entry'],
      ],
      text: 'what leave there is, and corrections of balances',
    },
  ],
  entities: [Employee, PrivateData, Department, HolidayCalendar, Holiday, LeaveType, LeaveRequest, LeaveAccount, LedgerEntry],
  personalData: HR_PERSONAL_DATA,
  controllers: [
    EmployeesController,
    DirectoryController,
    LeaveController,
    OrgEmployeesController,
    OrgDepartmentsController,
    OrgLeaveController,
    MyHrController,
    OrgHrSetupController,
  ],
  providers: [
    EmployeesService,
    EmployeeImport,
    PrivateDataService,
    OrgChart,
    DepartmentsService,
    LeaveAccounts,
    LeaveLedger,
    LedgerService,
    Balances,
    LeaveCalendar,
    LeaveRequestsService,
    LeaveReader,
    Absences,
    HrNames,
    HrSetup,
    HrProjectSetup,
  ],
  exports: [EmployeesService, DepartmentsService, PrivateDataService, LeaveRequestsService, HrSetup],
  scheduledJobs: [ChangeStatuses, GrantLeave, ExpireLeave, RecomputeLeave],
  errors: HrErrors,
  constraints: { hr_leave_requests_half_days_excl: HrErrors.leaveOverlap },
  events: { ...EmployeeEvents, ...LeaveEvents },
  restorable: [{ entity: Department, deletedBy: 'delete_org_department', shownBy: 'get_org_department' }],
  projectSetup: HrProjectSetup,
  demo: HR_DEMO,
  triggers: HR_TRIGGERS,
})
export class HrModule {}
