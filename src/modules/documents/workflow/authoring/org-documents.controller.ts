import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../../kit/index.js';
import { DocumentsService } from './documents.service.js';
import { AuditEntriesQuery, AuditEntryDto } from './org-documents.dto.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

@Controller('/api/v1/org/papers/documents')
export class OrgDocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  @Get(':id/audit-entries')
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'list_org_document_audit_entries',
    summary: 'List the audit trail of a document',
    returns: AuditEntryDto,
    list: true,
  })
  async auditTrail(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Query() query: AuditEntriesQuery): Promise<ListBody<AuditEntryDto>> {
    return listBody(await this.documents.auditTrail(ctx, id, query), AuditEntryDto.from);
  }
}
