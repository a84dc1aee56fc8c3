import { Injectable } from '@nestjs/common';
import { CommonErrors, Projects, Store, type Ctx, type ListQuery, type Page, type Project as ProjectView } from '../../../kit/index.js';
import { Project } from '../model/project.entity.js';

/** How long other processes may still create records in an archived project; this process stops immediately. */
const FRESH_MS = 3_000;
const REMEMBERED_PROJECTS = 10_000;

interface Remembered {
  project: Project;
  readAt: number;
}

/**
 * Implements the kit's `Projects`. Nearly every write resolves its project, so `resolve` uses a cache: id and organization, which
 * decide about access, never change, and the rest is read again when it is older than FRESH_MS.
 */
@Injectable()
export class ProjectDirectory extends Projects {
  private readonly cache = new Map<string, Remembered>();
  /** Raised by `forget`, so that a read which began before a change does not bring the old row back. */
  private changes = 0;

  constructor(private readonly store: Store) {
    super();
  }

  async get(ctx: Ctx, id: string): Promise<ProjectView> {
    if (ctx.projectId !== null && ctx.projectId !== id) throw CommonErrors.notFound();
    return this.store.get(ctx, Project, id);
  }

  page(ctx: Ctx, query: ListQuery): Promise<Page<ProjectView>> {
    const pin = ctx.projectId === null ? [] : [{ sql: 't.id = :pin', values: { pin: ctx.projectId } }];
    return this.store.page(ctx, Project, query, ...pin);
  }

  async resolve(ctx: Ctx, projectId: string | undefined): Promise<ProjectView> {
    if (ctx.projectId !== null && projectId !== undefined && projectId !== ctx.projectId)
      throw CommonErrors.projectScopeMismatch({ param: 'project_id' });
    const id = ctx.projectId ?? projectId;
    if (id === undefined) {
      throw CommonErrors.missingFields({
        param: 'project_id',
        message: 'project_id is required, because this API key is not bound to a project',
      });
    }
    const project = await this.cached(ctx, id);
    if (!project)
      throw CommonErrors.validationFailed({ param: 'project_id', message: 'project_id must be a project of this organization' });
    if (project.status === 'archived')
      throw CommonErrors.validationFailed({
        param: 'project_id',
        message: `project_id is the project ${project.key}, which is archived`,
      });
    return project;
  }

  /** Call it after a project was changed in this process. */
  forget(id: string): void {
    this.changes++;
    this.cache.delete(id);
  }

  private async cached(ctx: Ctx, id: string): Promise<Project | null> {
    const known = this.cache.get(id);
    if (known && Date.now() - known.readAt < FRESH_MS) return known.project.organization_id === ctx.organizationId ? known.project : null;
    const before = { changes: this.changes, readAt: Date.now() };
    const project = await this.store.find(ctx, Project, id);
    if (!project || this.changes !== before.changes) return project;
    if (this.cache.size >= REMEMBERED_PROJECTS) this.cache.clear();
    this.cache.set(id, { project: Object.freeze(project), readAt: before.readAt });
    return project;
  }
}
