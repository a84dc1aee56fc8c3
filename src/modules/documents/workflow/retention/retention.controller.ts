import { Body, Controller, Get, Put } from '@nestjs/common';
import { Ctx, Endpoint, Id, Store } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentMoves } from '../moves/document-moves.js';
import { DocumentRetentionDto, SetLegalHoldDto } from './legal-hold.dto.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

@Controller('/api/v1/org/papers/documents/:id/retention')
export class OrgRetentionController {
  constructor(
    private readonly store: Store,
    private readonly moves: DocumentMoves,
  ) {}

  @Get()
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'get_org_document_retention',
    summary: 'Get how long the contents of a document are kept',
    returns: DocumentRetentionDto,
  })
  async get(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string): Promise<DocumentRetentionDto> {
    return DocumentRetentionDto.from(await this.store.get(ctx, Document, id));
  }

  @Put('legal-hold')
  @Endpoint({
    permission: 'papers.setup.manage',
    operation: 'set_org_document_legal_hold',
    summary: 'Keep the contents of a document whatever its type says',
    description: 'A reason begins the hold, null ends it. Recorded in the audit trail.',
    returns: DocumentRetentionDto,
    errors: [DocumentErrors.contentErased],
  })
  async hold(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() { reason }: SetLegalHoldDto): Promise<DocumentRetentionDto> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.target(Document, id);
      if (document.erased_at !== null) throw DocumentErrors.contentErased();
      const held = await tx.update(document, { legal_hold: reason });
      await this.moves.record(ctx, tx, document, 'papers.legal_hold', { to_state: document.state, detail: { reason } });
      return DocumentRetentionDto.from(held);
    });
  }
}
