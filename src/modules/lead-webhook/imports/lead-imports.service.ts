import { Injectable } from '@nestjs/common';
import { CommonErrors, Jobs, Projects, Store, isUuid, type Ctx, type Page } from '../../../kit/index.js';
import { CrmConfig, customFieldsOf } from '../../crm/crm.public.js';
import { inspectCsv } from './csv-rows.js';
import { ImportLeads } from './import-leads.job.js';
import type { ImportRequest } from './lead-import-form.js';
import { LeadImportIssue } from './lead-import-issue.entity.js';
import { mappingOf } from './lead-import-mapping.js';
import { LeadImport } from './lead-import.entity.js';
import type { LeadImportIssuesQuery, LeadImportsQuery } from './lead-imports.dto.js';

/** Accepts files of leads; a job imports the rows. */
@Injectable()
export class LeadImports {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: CrmConfig,
    private readonly jobs: Jobs,
  ) {}

  async create(ctx: Ctx, { file, file_name, project_id, dry_run, mapping }: ImportRequest): Promise<LeadImport> {
    const project = await this.projects.resolve(ctx, uuidOf(project_id));
    const { headings, rows } = await inspectCsv(file);
    return this.store.write(ctx, async (tx) => {
      const mapped = await this.config.decide(tx, project.id, (configured) =>
        mappingOf(
          headings,
          mapping,
          customFieldsOf(configured, 'lead').map(({ key }) => key),
        ),
      );
      const row = await tx.insert(LeadImport, {
        project_id: project.id,
        file_name,
        content: file,
        ...mapped,
        dry_run,
        state: 'queued',
        rows_total: rows,
        created_by: ctx.actor,
      });
      await this.jobs.add(ctx, tx, ImportLeads, { import_id: row.id });
      return row;
    });
  }

  get(ctx: Ctx, id: string): Promise<LeadImport> {
    return this.store.get(ctx, LeadImport, id);
  }

  page(ctx: Ctx, query: LeadImportsQuery): Promise<Page<LeadImport>> {
    return this.store.page(ctx, LeadImport, query);
  }

  async issues(ctx: Ctx, id: string, query: LeadImportIssuesQuery): Promise<Page<LeadImportIssue>> {
    await this.get(ctx, id);
    return this.store.page(ctx, LeadImportIssue, query, { sql: 't.import_id = :id', values: { id } });
  }
}

/** A form field may contain any text. */
function uuidOf(projectId: string | undefined): string | undefined {
  if (projectId !== undefined && !isUuid(projectId))
    throw CommonErrors.validationFailed({ param: 'project_id', message: 'project_id must be a UUID' });
  return projectId?.toLowerCase();
}
