import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  invalid,
  isUuid,
  Projects,
  sql,
  Store,
  type Ctx,
  type ListQuery,
  type Page,
  type Project as ProjectView,
} from '../../../kit/index.js';
import type { NamedRow } from '../../../kit/internal.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
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
  /** Default projects by organization. */
  private readonly defaults = new Map<string, Remembered>();
  /** Raised by `forget`, so that a read which began before a change does not bring the old row back. */
  private changes = 0;

  constructor(private readonly store: Store) {
    super();
  }

  async get(ctx: Ctx, idOrKey: string): Promise<ProjectView> {
    const key = idOrKey.toUpperCase();
    const [project] = isUuid(idOrKey) ? [await this.store.find(ctx, Project, idOrKey)] : await this.store.list(ctx, Project, { key });
    if (!project || (ctx.projectId !== null && ctx.projectId !== project.id)) throw CommonErrors.notFound();
    return project;
  }

  page(ctx: Ctx, query: ListQuery): Promise<Page<ProjectView>> {
    const pin = ctx.projectId === null ? [] : [sql`t.id = ${ctx.projectId}`];
    return this.store.page(ctx, Project, query, ...pin);
  }

  async resolve(ctx: Ctx, projectId: string | null | undefined, ...rows: readonly NamedRow[]): Promise<ProjectView> {
    const within = requireWithinPin(ctx, projectId);
    const named = within ?? (await this.projectOf(ctx, rows));
    if (named === null) return this.assumed(ctx as CallContext);
    const project = await this.require(ctx, named);
    if (project.status === 'archived') throw invalid('project_id', `is the project ${project.key}, which is archived`);
    if (within === null) (ctx as CallContext).owner.usedProject = { key: project.key, isAssumed: false };
    return project;
  }

  async reach(ctx: Ctx, projectId: string | undefined): Promise<ProjectView | null> {
    const named = requireWithinPin(ctx, projectId);
    return named === null ? null : this.require(ctx, named);
  }

  /** Call it after a project was created or changed in this process. */
  forget({ id, organization_id }: Pick<Project, 'id' | 'organization_id'>): void {
    this.changes++;
    this.cache.delete(id);
    this.defaults.delete(organization_id);
  }

  private async require(ctx: Ctx, id: string): Promise<Project> {
    const project = await this.cached(ctx, id);
    if (!project) throw invalid('project_id', 'must be a project of this organization');
    return project;
  }

  /** That of the first row that exists and has one. What the call names wrongly is refused later, with the name of the project assumed. */
  private async projectOf(ctx: Ctx, rows: readonly NamedRow[]): Promise<string | null> {
    for (const [entity, id] of rows) {
      const row = id ? ((await this.store.find(ctx, entity, id)) as { project_id?: string | null } | null) : null;
      if (row?.project_id) return row.project_id;
    }
    return null;
  }

  /** The default project, which errors then name. */
  private async assumed(ctx: CallContext): Promise<Project> {
    const project = await this.defaultOf(ctx);
    ctx.owner.usedProject = { key: project.key, isAssumed: true };
    return project;
  }

  private async defaultOf(ctx: Ctx): Promise<Project> {
    const project = await this.cachedDefault(ctx);
    if (!project)
      throw CommonErrors.missingFields({ param: 'project_id', message: 'project_id is required, because there is no default project' });
    if (project.status === 'archived')
      throw CommonErrors.missingFields({
        param: 'project_id',
        message: `project_id is required, because the default project ${project.key} is archived`,
      });
    return project;
  }

  private async cachedDefault(ctx: Ctx): Promise<Project | null> {
    const known = this.defaults.get(ctx.organizationId);
    if (known && Date.now() - known.readAt < FRESH_MS) return known.project;
    const before = { changes: this.changes, readAt: Date.now() };
    const [project] = await this.store.list(ctx, Project, { is_default: true });
    if (project === undefined) return null;
    if (this.changes === before.changes) {
      if (this.defaults.size >= REMEMBERED_PROJECTS) this.defaults.clear();
      this.defaults.set(ctx.organizationId, { project: Object.freeze(project), readAt: before.readAt });
    }
    return project;
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

/** The key's pin, or the project that the call names; null if there is neither. */
function requireWithinPin(ctx: Ctx, projectId: string | null | undefined): string | null {
  const named = projectId ?? null;
  if (ctx.projectId !== null && named !== null && named !== ctx.projectId) throw CommonErrors.projectScopeMismatch({ param: 'project_id' });
  return ctx.projectId ?? named;
}
