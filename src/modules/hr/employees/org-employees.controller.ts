import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import {
  CommonErrors,
  csvUpload,
  Ctx,
  Endpoint,
  Id,
  IMPORT_LIMITS,
  ImportQuery,
  listBody,
  Upload,
  Uploaded,
  type ListBody,
} from '../../../kit/index.js';
import { HrErrors } from '../model/hr.errors.js';
import { EmployeeImport } from './employee-import.service.js';
import { EmployeeImportDto } from './employee-import.dto.js';
import { EmployeesQuery, OrgEmployeeDto } from './employees.dto.js';
import { CreateEmployeeDto, UpdateEmployeeDto } from '../views/employee.dto.js';
import { EmployeesService } from './employees.service.js';
import { PRIVATE_FIELDS, PrivateDataDto, UpdatePrivateDataDto } from './private-data.dto.js';
import { PrivateDataService } from './private-data.service.js';
import { EMPLOYEE_NUMBER } from '../model/employee-number.js';
import { HrNames } from '../views/hr-names.service.js';

const permission = 'hr.employee.manage';

/** Employees, for members who manage them. */
@Controller('/api/v1/org/hr/employees')
export class OrgEmployeesController {
  constructor(
    private readonly employees: EmployeesService,
    private readonly imports: EmployeeImport,
    private readonly privateData: PrivateDataService,
    private readonly names: HrNames,
  ) {}

  @Get()
  @Endpoint({
    operation: 'list_org_employees',
    summary: 'List employees',
    permission,
    returns: OrgEmployeeDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: EmployeesQuery): Promise<ListBody<OrgEmployeeDto>> {
    const page = await this.employees.page(ctx, query);
    return listBody(page, await this.names.ofEmployees(ctx, page.data, OrgEmployeeDto.fromRow));
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_org_employee',
    summary: 'Get one employee',
    permission,
    returns: OrgEmployeeDto,
  })
  async get(@Ctx() ctx: Ctx, @Id(EMPLOYEE_NUMBER) id: string): Promise<OrgEmployeeDto> {
    return this.names.ofEmployee(ctx, await this.employees.get(ctx, id), OrgEmployeeDto.fromRow);
  }

  @Post()
  @Endpoint({
    operation: 'create_org_employee',
    summary: 'Create an employee',
    description: 'Leave of this and the next year is granted at once.',
    permission,
    returns: OrgEmployeeDto,
    status: 201,
    errors: [CommonErrors.duplicate],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateEmployeeDto): Promise<OrgEmployeeDto> {
    return OrgEmployeeDto.fromRow(await this.employees.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    operation: 'update_org_employee',
    summary: 'Change an employee',
    description: 'A changed working week applies to leave that is not approved yet.',
    permission,
    returns: OrgEmployeeDto,
    errors: [CommonErrors.duplicate, HrErrors.managerCycle],
  })
  async update(@Ctx() ctx: Ctx, @Id(EMPLOYEE_NUMBER) id: string, @Body() body: UpdateEmployeeDto): Promise<OrgEmployeeDto> {
    return OrgEmployeeDto.fromRow(await this.employees.update(ctx, id, body));
  }

  @Post('import')
  @Endpoint({
    operation: 'import_org_employees',
    summary: 'Create employees from a CSV file',
    description:
      'Columns: number, name, hired_on; optionally work_email, work_phone, department (a name), position, manager_number, member_email, ' +
      'employment_type, left_on. Managers can be in any row of the file. Rows with errors are skipped and reported; a number that ' +
      'exists is refused, so a file can be sent again. Columns with private data are ignored.',
    permission,
    returns: EmployeeImportDto,
    upload: csvUpload('Employees.', 'number,name,hired_on,manager_number\nE-1,Ada Osei,2020-01-01,\nE-2,Mei Tanaka,2023-04-01,E-1\n'),
    bodyLimit: IMPORT_LIMITS.bytes,
    errors: [CommonErrors.duplicate, HrErrors.managerCycle],
  })
  import(@Ctx() ctx: Ctx, @Query() query: ImportQuery, @Uploaded() upload: Upload): Promise<EmployeeImportDto> {
    return this.imports.run(ctx, upload, query);
  }

  @Post(':id/anonymize')
  @Endpoint({
    operation: 'anonymize_org_employee',
    summary: 'Remove the personal data of an employee who has left',
    description:
      'Name, contacts, position, private data, reasons and notes of leave, and the events about the employee are deleted permanently. ' +
      'Webhooks about them that have not been sent yet are never sent.',
    permission: 'hr.private.manage',
    returns: OrgEmployeeDto,
    destructive: true,
    ifMatch: true,
  })
  async anonymize(@Ctx() ctx: Ctx, @Id(EMPLOYEE_NUMBER) id: string): Promise<OrgEmployeeDto> {
    return OrgEmployeeDto.fromRow(await this.privateData.anonymize(ctx, id));
  }

  @Get(':id/private')
  @Endpoint({
    operation: 'get_org_employee_private_data',
    summary: 'Get private data of an employee',
    permission: 'hr.private.manage',
    returns: PrivateDataDto,
  })
  readPrivate(@Ctx() ctx: Ctx, @Id(EMPLOYEE_NUMBER) id: string): Promise<PrivateDataDto> {
    return this.privateData.read(ctx, id);
  }

  @Patch(':id/private')
  @Endpoint({
    operation: 'update_org_employee_private_data',
    summary: 'Change private data of an employee',
    permission: 'hr.private.manage',
    returns: PrivateDataDto,
    // the stored response of an Idempotency-Key must not contain them
    secrets: PRIVATE_FIELDS,
  })
  updatePrivate(@Ctx() ctx: Ctx, @Id(EMPLOYEE_NUMBER) id: string, @Body() body: UpdatePrivateDataDto): Promise<PrivateDataDto> {
    return this.privateData.update(ctx, id, body);
  }
}
