import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { Ctx, Endpoint, FileResponse, Id, SentFiles, type SentFile } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { DocumentFileDto, DocumentFileQuery, ReplaceDocumentFileDto } from './document-files.dto.js';
import { ReplacePlacedFieldsDto } from './placed-fields.dto.js';
import { DocumentFiles } from './document-files.service.js';
import { FILE_UPLOAD } from './given-files.service.js';

@Controller('/api/v1/ext/papers/documents/:id/file')
export class DocumentFileController {
  constructor(private readonly files: DocumentFiles) {}

  @Get()
  @Endpoint({
    scope: 'papers:document:read',
    member: { permission: 'papers.document.view' },
    operation: 'get_document_file',
    summary: 'Get the PDF of a document, or the fields on it',
    description: 'get_document_content returns it as it is filled in and signed.',
    returns: DocumentFileDto,
    produces: { 'application/pdf': 'The file as it was uploaded.' },
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string, @Query() { format }: DocumentFileQuery): Promise<DocumentFileDto | FileResponse> {
    const file = await this.files.get(ctx, id);
    if (format !== 'pdf') return DocumentFileDto.from(file);
    return new FileResponse('application/pdf', file.pdf, { filename: `${id}.pdf`, headers: { 'Cache-Control': 'no-store' } });
  }

  @Put()
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'replace_document_file',
    summary: 'Use an existing PDF as the text of a document',
    description: 'Only of a draft or returned document. Form fields become part of the pages.',
    returns: DocumentFileDto,
    files: { ...FILE_UPLOAD, mediaType: 'application/pdf' },
    errors: [DocumentErrors.invalidTransition],
  })
  async replace(
    @Ctx() ctx: Ctx,
    @Id() id: string,
    @Body() body: ReplaceDocumentFileDto,
    @SentFiles() sent: readonly SentFile[],
  ): Promise<DocumentFileDto> {
    return DocumentFileDto.from(await this.files.replace(ctx, id, body, sent.at(0)));
  }

  @Put('fields')
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'replace_document_file_fields',
    summary: 'Place fields for the parties',
    description: 'Each by page, x, y, w, h; anchor, w, h; or form_field.',
    returns: DocumentFileDto,
    errors: [DocumentErrors.invalidTransition],
  })
  async place(@Ctx() ctx: Ctx, @Id() id: string, @Body() { fields }: ReplacePlacedFieldsDto): Promise<DocumentFileDto> {
    return DocumentFileDto.from(await this.files.place(ctx, id, fields));
  }
}
