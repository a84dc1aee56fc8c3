import { Inject, Injectable } from '@nestjs/common';
import { CommonErrors, Store, type Ctx, type ListQuery, type Page } from '../../../kit/index.js';
import { ProjectDirectory } from './project-directory.js';
import { PROJECT_SETUPS, type ProjectSetups } from './project-setups.js';
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
      const project = await tx.insert(Project, {
        key,
        name,
        description: description ?? null,
        status: 'active',
        timezone: timezone ?? 'UTC',
      });
      for (const setup of this.setups) await setup.setUpProject(tx, project);
      return project;
    });
  }

  update(ctx: Ctx, id: string, { name, description, status, timezone }: UpdateOrgProjectDto): Promise<Project> {
    requireTimezone(timezone);
    return this.store.write(ctx, async (tx) => {
      const project = await tx.target(Project, id);
      tx.afterCommit(() => this.directory.forget(id));
      return tx.update(project, { name, description, status, timezone });
    });
  }
}

function requireTimezone(timezone: string | undefined): void {
  if (timezone === undefined) return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw CommonErrors.validationFailed({ param: 'timezone', message: 'timezone must be an IANA time zone, for example Europe/Berlin' });
  }
}
