import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id } from '../../../kit/index.js';
import { CreateDepartmentDto, DepartmentDto, UpdateDepartmentDto } from '../views/department.dto.js';
import { DepartmentsService } from './departments.service.js';

const permission = 'hr.employee.manage';

@Controller('/api/v1/org/hr/departments')
export class OrgDepartmentsController {
  constructor(private readonly departments: DepartmentsService) {}

  @Get(':id')
  @Endpoint({
    operation: 'get_org_department',
    summary: 'Get a department',
    permission,
    returns: DepartmentDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<DepartmentDto> {
    return DepartmentDto.from(await this.departments.get(ctx, id), ctx);
  }

  @Post()
  @Endpoint({
    operation: 'create_org_department',
    summary: 'Create a department',
    permission,
    returns: DepartmentDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateDepartmentDto): Promise<DepartmentDto> {
    return DepartmentDto.from(await this.departments.create(ctx, body), ctx);
  }

  @Patch(':id')
  @Endpoint({
    operation: 'update_org_department',
    summary: 'Change a department',
    permission,
    returns: DepartmentDto,
    errors: [CommonErrors.duplicate],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateDepartmentDto): Promise<DepartmentDto> {
    return DepartmentDto.from(await this.departments.update(ctx, id, body), ctx);
  }

  @Delete(':id')
  @Endpoint({
    operation: 'delete_org_department',
    summary: 'Delete a department without employees and subdepartments',
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.departments.delete(ctx, id);
  }
}
