import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  CsvLocale,
  CustomFieldCatalog,
  Files,
  inspectCsv,
  invalid,
  isUuid,
  Jobs,
  Projects,
  Store,
  type Ctx,
  type Page,
  type Tx,
} from '../../../kit/index.js';
import { leadFieldsOf } from '../../crm/crm.public.js';
import { IMPORT_LIMITS } from './import-limits.js';
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
    private readonly customFields: CustomFieldCatalog,
    private readonly jobs: Jobs,
    private readonly files: Files,
  ) {}

  async create(ctx: Ctx, { file, file_name, project_id, dry_run, repeat, mapping, locale: tag }: ImportRequest): Promise<LeadImport> {
    const project = await this.projects.resolve(ctx, uuidOf(project_id));
    const locale = CsvLocale.of(tag)?.tag ?? null;
    const { text, headings, rows, encoding, delimiter } = await inspectCsv(file, IMPORT_LIMITS);
    return this.store.write(ctx, async (tx) => {
      const fields = await leadFieldsOf(this.customFields, ctx, project.id);
      const mapped = mappingOf(
        headings,
        mapping,
        fields.map(({ key }) => key),
      );
      const fingerprint = dry_run || repeat ? null : fingerprintOf(file.bytes, mapped.mapping, locale);
      const earlier = fingerprint === null ? null : await this.earlier(tx, project.id, fingerprint);
      if (earlier) return earlier.state === 'failed' ? this.resume(ctx, tx, earlier, text) : earlier;
      const row = await tx.insert(LeadImport, {
        project_id: project.id,
        file_name,
        ...(await this.files.keep(tx, LeadImport, 'content', text)),
        fingerprint,
        ...mapped,
        encoding,
        delimiter,
        locale,
        dry_run: dry_run || this.store.isDryRun(ctx),
        state: 'queued',
        rows_total: rows,
        created_by: ctx.actor,
      });
      await this.jobs.add(ctx, tx, ImportLeads, { import_id: row.id }, { key: row.id });
      return row;
    });
  }

  /** The import of the same file with the same mapping into the same project. */
  private async earlier(tx: Tx, project_id: string, fingerprint: string): Promise<LeadImport | null> {
    await tx.advanced.mutex(`lead-import ${project_id} ${fingerprint}`);
    const [row] = await tx.list(LeadImport, { project_id, fingerprint });
    return row ?? null;
  }

  /** Continues a failed import at the row where it stopped. */
  private async resume(ctx: Ctx, tx: Tx, row: LeadImport, content: Buffer): Promise<LeadImport> {
    const kept = await this.files.keep(tx, LeadImport, 'content', content);
    const resumed = await tx.update(row, { state: 'queued', ...kept, failure: null, finished_at: null });
    await this.jobs.add(ctx, tx, ImportLeads, { import_id: row.id }, { key: row.id });
    return resumed;
  }

  get(ctx: Ctx, id: string): Promise<LeadImport> {
    return this.store.get(ctx, LeadImport, id);
  }

  page(ctx: Ctx, query: LeadImportsQuery): Promise<Page<LeadImport>> {
    return this.store.page(ctx, LeadImport, query);
  }

  async issues(ctx: Ctx, id: string, query: LeadImportIssuesQuery): Promise<Page<LeadImportIssue>> {
    await this.get(ctx, id);
    return this.store.page(ctx, LeadImportIssue, query, { import_id: id });
  }
}

function fingerprintOf(file: Buffer, mapping: Readonly<Record<string, string>>, locale: string | null): string {
  const columns = Object.entries(mapping).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([hash('sha256', file), columns, ...(locale === null ? [] : [locale])]));
}

/** A form field may contain any text. */
function uuidOf(projectId: string | undefined): string | undefined {
  if (projectId !== undefined && !isUuid(projectId)) throw invalid('project_id', 'must be a UUID');
  return projectId?.toLowerCase();
}
