import { Injectable } from '@nestjs/common';
import { CachedNames, Store, type Ctx } from '../../../kit/index.js';
import { Department } from '../model/department.entity.js';
import { Employee } from '../model/employee.entity.js';
import { DepartmentDto } from './department.dto.js';
import type { EmployeeDto } from './employee.dto.js';

/** Adds names of departments and managers to employees and departments that are read. */
@Injectable()
export class HrNames {
  private readonly departments: CachedNames;
  private readonly employees: CachedNames;

  constructor(store: Store) {
    this.departments = new CachedNames((ctx, id) => store.list(ctx, Department, { id }));
    this.employees = CachedNames.ofColumn(store, Employee, 'name');
  }

  /** Returns the function that maps these employees to DTOs. */
  async ofEmployees<Dto extends EmployeeDto>(
    ctx: Ctx,
    employees: readonly Employee[],
    map: (employee: Employee) => Dto,
  ): Promise<(employee: Employee) => Dto> {
    const [department, manager] = await Promise.all([
      this.departments.of(
        ctx,
        employees.map(({ department_id }) => department_id),
      ),
      this.employees.of(
        ctx,
        employees.map(({ manager_id }) => manager_id),
      ),
    ]);
    return (employee) => {
      const dto = map(employee);
      return { ...dto, department_name: department(dto.department_id), manager_name: manager(dto.manager_id) };
    };
  }

  async ofEmployee<Dto extends EmployeeDto>(ctx: Ctx, employee: Employee, map: (employee: Employee) => Dto): Promise<Dto> {
    return (await this.ofEmployees(ctx, [employee], map))(employee);
  }

  async ofDepartments(ctx: Ctx, departments: readonly Department[]): Promise<(department: Department) => DepartmentDto> {
    const [parent, head] = await Promise.all([
      this.departments.of(
        ctx,
        departments.map(({ parent_id }) => parent_id),
      ),
      this.employees.of(
        ctx,
        departments.map(({ head_id }) => head_id),
      ),
    ]);
    return (department) => {
      const dto = DepartmentDto.from(department, ctx);
      return { ...dto, parent_name: parent(dto.parent_id), head_name: head(dto.head_id) };
    };
  }
}
