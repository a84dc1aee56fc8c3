import { Inject, Injectable } from '@nestjs/common';
import { invalid, Store, type Ctx, type ListQuery, type Page } from '../../../kit/index.js';
import { ProjectDirectory } from './project-directory.js';
import { noteSetups, PROJECT_SETUPS, type ProjectSetups } from './project-setups.js';
import { Project } from '../model/project.entity.js';
import type { CreateOrgProjectDto, UpdateOrgProjectDto } from './projects.dto.js';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly store: Store,
    private readonly directory: ProjectDirectory,
    @Inject(PROJECT_SETUPS) private readonly setups: ProjectSetups,
  ) {}

  page(ctx: Ctx, query: ListQuery): Promise<Page<Project>> {
    return this.store.page(ctx, Project, query);
  }

  get(ctx: Ctx, id: string): Promise<Project> {
    return this.store.get(ctx, Project, id);
  }

  /** Creates a project and, in the same transaction, what every module needs in it. */
  create(ctx: Ctx, { key, name, description, timezone }: CreateOrgProjectDto): Promise<Project> {
    requireTimezone(timezone);
    return this.store.write(ctx, async (tx) => {
      await tx.advanced.mutex(defaultProjectOf(ctx));
      const first = (await tx.list(Project, { is_default: true })).length === 0;
      const project = await tx.insert(Project, {
        key,
        name,
        description: description ?? null,
        status: 'active',
        timezone: timezone ?? 'UTC',
        is_default: first,
      });
      tx.afterCommit(() => this.directory.forget(project));
      await tx.advanced.unaudited(async () => {
        for (const setup of this.setups) await setup.setUpProject(tx, project);
      });
      await noteSetups(
        tx,
        project.id,
        this.setups.map(({ module }) => module),
      );
      return project;
    });
  }

  update(ctx: Ctx, id: string, { name, description, status, timezone, is_default }: UpdateOrgProjectDto): Promise<Project> {
    requireTimezone(timezone);
    return this.store.write(ctx, async (tx) => {
      if (is_default !== undefined) await tx.advanced.mutex(defaultProjectOf(ctx));
      const project = await tx.target(Project, id);
      if (is_default === false && project.is_default)
        throw invalid('is_default', 'cannot be false for the default project; send is_default: true for another project instead');
      if (is_default && !project.is_default) {
        if ((status ?? project.status) === 'archived') throw invalid('is_default', 'must be false for an archived project');
        for (const other of await tx.list(Project, { is_default: true })) await tx.update(other, { is_default: false });
      }
      tx.afterCommit(() => this.directory.forget(project));
      return tx.update(project, { name, description, status, timezone, is_default });
    });
  }
}

/** The mutex under which an organization's default project is chosen. */
function defaultProjectOf(ctx: Ctx): string {
  return `default project ${ctx.organizationId}`;
}

function requireTimezone(timezone: string | undefined): void {
  if (timezone === undefined) return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw invalid('timezone', 'must be an IANA time zone, for example Europe/Berlin');
  }
}
