import { Injectable } from '@nestjs/common';
import { csvText, FileResponse, Store, type Ctx, type Page } from '../../kit/index.js';
import { AuditLogEntry } from './audit-log-entry.entity.js';
import { AuditLogEntryDto, type AuditEntriesQuery } from './audit.dto.js';

/** The most entries of one export. */
export const MOST_EXPORTED = 10_000;

const COLUMNS = [
  'sequence',
  'created_at',
  'actor_type',
  'actor_name',
  'actor_id',
  'action',
  'object_type',
  'object_id',
  'operation',
  'address',
  'user_agent',
  'request_id',
  'before',
  'after',
  'hash',
] as const satisfies readonly (keyof AuditLogEntryDto)[];

@Injectable()
export class AuditService {
  constructor(private readonly store: Store) {}

  page(ctx: Ctx, query: AuditEntriesQuery): Promise<Page<AuditLogEntry>> {
    return this.store.page(ctx, AuditLogEntry, query);
  }

  get(ctx: Ctx, id: string): Promise<AuditLogEntry> {
    return this.store.get(ctx, AuditLogEntry, id);
  }

  /** The entries that the query finds, from its cursor on. */
  async csv(ctx: Ctx, query: AuditEntriesQuery): Promise<FileResponse> {
    const rows: AuditLogEntryDto[] = [];
    const next = Object.assign(query, { limit: 100 });
    for (;;) {
      const { data, next_cursor } = await this.page(ctx, next);
      rows.push(...data.map(AuditLogEntryDto.from));
      if (next_cursor === null || rows.length >= MOST_EXPORTED) break;
      next.cursor = next_cursor;
    }
    const cells = rows.map((row) => COLUMNS.map((column) => textOf(row[column])));
    await this.store.write(ctx, async (tx) =>
      tx.advanced.audit({ action: 'exported', objectType: 'audit_log', objectId: null, after: { entries: rows.length } }),
    );
    return new FileResponse('text/csv', csvText(COLUMNS, cells), {
      filename: 'audit-log.csv',
      download: true,
      headers: { 'Cache-Control': 'no-store' },
    });
  }
}

function textOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
