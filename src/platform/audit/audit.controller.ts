import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type FileResponse, type ListBody } from '../../kit/index.js';
import { AuditEntriesQuery, AuditLogEntryDto } from './audit.dto.js';
import { AuditService } from './audit.service.js';

const permission = 'org.audit.view';

@Controller('api/v1/org/audit-entries')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Endpoint({
    operation: 'list_audit_entries',
    summary: 'List the audit log',
    permission,
    returns: AuditLogEntryDto,
    list: true,
    description:
      'Every change of access, configuration and administration: who, what, when, from where. Entries cannot be changed, and each has a ' +
      'hash of the one before it.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: AuditEntriesQuery): Promise<ListBody<AuditLogEntryDto>> {
    return listBody(await this.audit.page(ctx, query), AuditLogEntryDto.from);
  }

  @Get('export')
  @Endpoint({
    operation: 'export_audit_entries',
    summary: 'Export the audit log as CSV',
    permission,
    returns: null,
    writesOnGet: 'The audit log notes the export',
    produces: { 'text/csv': 'A header line, then a line per entry; before and after are JSON.' },
    description: 'At most 10,000 entries, the latest first; filter by created_before for earlier ones.',
  })
  csv(@Ctx() ctx: Ctx, @Query() query: AuditEntriesQuery): Promise<FileResponse> {
    return this.audit.csv(ctx, query);
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_audit_entry',
    summary: 'Get an entry of the audit log',
    permission,
    returns: AuditLogEntryDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<AuditLogEntryDto> {
    return AuditLogEntryDto.from(await this.audit.get(ctx, id));
  }
}
