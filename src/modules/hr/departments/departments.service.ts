import { Injectable } from '@nestjs/common';
import { CommonErrors, own, Projects, sql, Store, table, type Ctx, type Tx } from '../../../kit/index.js';
import { Department } from '../model/department.entity.js';
import { Employee, NOT_LEFT } from '../model/employee.entity.js';
import { invalid } from '../model/hr.errors.js';
import type { CreateDepartmentDto, UpdateDepartmentDto } from '../views/department.dto.js';

const MOST = 10_000;
const DEEPEST = 100;

@Injectable()
export class DepartmentsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  get(ctx: Ctx, id: string): Promise<Department> {
    return this.store.get(ctx, Department, id);
  }

  create(ctx: Ctx, { project_id, name, parent_id, head_id }: CreateDepartmentDto): Promise<Department> {
    return this.store.write(ctx, async (tx) => {
      const project = await this.projects.resolve(ctx, project_id);
      const [{ count }] = await tx.sql<{ count: number }>(
        sql`SELECT count(*)::int AS count FROM ${table(Department)} d WHERE ${own('d')} AND d.project_id = ${project.id}`,
      );
      if (count >= MOST) throw CommonErrors.resourceConflict({ message: `A project can have at most ${MOST} departments.` });
      const parent = await this.parentOf(tx, project.id, null, parent_id);
      return tx.insert(Department, {
        project_id: project.id,
        name,
        parent_id: parent,
        ...(await headOf(tx, head_id)),
        created_by: ctx.actor,
      });
    });
  }

  update(ctx: Ctx, id: string, { name, parent_id, head_id }: UpdateDepartmentDto): Promise<Department> {
    return this.store.write(ctx, async (tx) => {
      if (parent_id) await tx.advanced.mutex(`hr departments ${ctx.organizationId} ${ctx.mode}`);
      const department = await tx.target(Department, id);
      const changes: Partial<Department> = { name };
      if (parent_id !== undefined) changes.parent_id = await this.parentOf(tx, department.project_id, id, parent_id);
      if (head_id !== undefined) Object.assign(changes, await headOf(tx, head_id));
      return tx.update(department, changes);
    });
  }

  /** Foreign keys reject deleting a department with employees or subdepartments. */
  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => tx.delete(await tx.target(Department, id)));
  }

  private async parentOf(tx: Tx, projectId: string, id: string | null, parentId: string | null | undefined): Promise<string | null> {
    if (!parentId) return null;
    await tx.reference(Department, parentId, 'parent_id', { projectId });
    const chain = await tx.sql<{ id: string }>(
      sql`WITH RECURSIVE above AS (
          SELECT d.id, d.parent_id, 1 AS level FROM ${table(Department)} d WHERE d.id = ${parentId} AND ${own('d')}
          UNION ALL SELECT d.id, d.parent_id, a.level + 1 FROM ${table(Department)} d JOIN above a ON d.id = a.parent_id
          WHERE a.level <= ${DEEPEST} AND ${own('d')})
        SELECT id FROM above`,
    );
    if (chain.some((one) => one.id === id) || chain.length > DEEPEST) throw invalid('parent_id', 'must not be a part of this department');
    return parentId;
  }
}

/** Of any project. */
async function headOf(tx: Tx, headId: string | null | undefined): Promise<Pick<Department, 'head_id' | 'head_project_id'>> {
  if (!headId) return { head_id: null, head_project_id: null };
  const head = await tx.reference(Employee, headId, 'head_id', NOT_LEFT);
  return { head_id: head.id, head_project_id: head.project_id };
}
