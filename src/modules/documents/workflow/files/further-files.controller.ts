import { Body, Controller, Delete, Post } from '@nestjs/common';
import { Ctx, Endpoint, Id, SentFiles, type SentFile } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { DocumentFileDto } from './document-files.dto.js';
import { AddDocumentFileDto } from './further-files.dto.js';
import { FurtherFiles } from './further-files.service.js';
import { FILE_UPLOAD } from './given-files.service.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

@Controller('/api/v1/ext/papers/documents/:id/files')
export class FurtherFilesController {
  constructor(private readonly files: FurtherFiles) {}

  @Post()
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'add_document_file',
    summary: 'Add a file to a document',
    description: 'Of a draft or returned one.',
    returns: DocumentFileDto,
    status: 201,
    ifMatch: true,
    files: { ...FILE_UPLOAD, mediaType: 'application/pdf' },
    errors: [DocumentErrors.invalidTransition, DocumentErrors.contentErased],
  })
  async add(
    @Ctx() ctx: Ctx,
    @Id(DOCUMENT_NUMBER) id: string,
    @Body() body: AddDocumentFileDto,
    @SentFiles() sent: readonly SentFile[],
  ): Promise<DocumentFileDto> {
    return DocumentFileDto.from(await this.files.add(ctx, id, body, sent.at(0)));
  }

  @Delete(':file_id')
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'delete_document_file',
    summary: 'Remove a file from a document',
    returns: null,
    errors: [DocumentErrors.invalidTransition],
  })
  remove(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Id('file_id', 'From files of get_document.') fileId: string): Promise<void> {
    return this.files.remove(ctx, id, fileId);
  }
}
