import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { EmployeeDto } from '../views/employee.dto.js';
import { EmployeesQuery } from './employees.dto.js';
import { EmployeesService } from './employees.service.js';
import { EMPLOYEE_NUMBER } from '../model/employee-number.js';
import { HrNames } from '../views/hr-names.service.js';

@Controller('/api/v1/ext/hr/employees')
export class EmployeesController {
  constructor(
    private readonly employees: EmployeesService,
    private readonly names: HrNames,
  ) {}

  @Get()
  @Endpoint({
    scope: 'hr:employee:read',
    operation: 'list_employees',
    summary: 'List employees',
    returns: EmployeeDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: EmployeesQuery): Promise<ListBody<EmployeeDto>> {
    const page = await this.employees.page(ctx, query);
    return listBody(page, await this.names.ofEmployees(ctx, page.data, (employee) => EmployeeDto.from(employee, ctx)));
  }

  @Get(':id')
  @Endpoint({
    scope: 'hr:employee:read',
    operation: 'get_employee',
    summary: 'Get one employee',
    returns: EmployeeDto,
  })
  async get(@Ctx() ctx: Ctx, @Id(EMPLOYEE_NUMBER) id: string): Promise<EmployeeDto> {
    return this.names.ofEmployee(ctx, await this.employees.get(ctx, id), (employee) => EmployeeDto.from(employee, ctx));
  }
}
