import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { Ctx, Endpoint, FileResponse, Id, SentFiles, type SentFile } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { DocumentFileDto, DocumentFileQuery, ReplaceDocumentFileDto } from './document-files.dto.js';
import { ReplacePlacedFieldsDto } from './placed-fields.dto.js';
import { DocumentFiles } from './document-files.service.js';
import { FILE_UPLOAD } from './given-files.service.js';
import { FileIdQuery } from './file-place.dto.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

@Controller('/api/v1/ext/papers/documents/:id/file')
export class DocumentFileController {
  constructor(private readonly files: DocumentFiles) {}

  @Get()
  @Endpoint({
    scope: 'papers:document:read',
    member: { permission: 'papers.document.view' },
    operation: 'get_document_file',
    summary: 'Get a file of a document',

    returns: DocumentFileDto,
    produces: { 'application/pdf': 'The file as it was uploaded.' },
  })
  async get(
    @Ctx() ctx: Ctx,
    @Id(DOCUMENT_NUMBER) id: string,
    @Query() { format, file_id }: DocumentFileQuery,
  ): Promise<DocumentFileDto | FileResponse> {
    const found = await this.files.get(ctx, id, file_id);
    if (format !== 'pdf') return DocumentFileDto.from(found);
    return new FileResponse('application/pdf', await this.files.stream(ctx, found.file), {
      filename: `${found.name}.pdf`,
      headers: { 'Cache-Control': 'no-store' },
    });
  }

  @Put()
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'replace_document_file',
    summary: 'Upload the PDF of a document',
    description: 'Of a draft or returned one. dropped_fields have no place in it.',
    returns: DocumentFileDto,
    files: { ...FILE_UPLOAD, mediaType: 'application/pdf' },
    errors: [DocumentErrors.invalidTransition],
  })
  async replace(
    @Ctx() ctx: Ctx,
    @Id(DOCUMENT_NUMBER) id: string,
    @Query() { file_id }: FileIdQuery,
    @Body() body: ReplaceDocumentFileDto,
    @SentFiles() sent: readonly SentFile[],
  ): Promise<DocumentFileDto> {
    return DocumentFileDto.from(await this.files.replace(ctx, id, file_id, body, sent.at(0)));
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
  async place(
    @Ctx() ctx: Ctx,
    @Id(DOCUMENT_NUMBER) id: string,
    @Query() { file_id }: FileIdQuery,
    @Body() { fields }: ReplacePlacedFieldsDto,
  ): Promise<DocumentFileDto> {
    return DocumentFileDto.from(await this.files.place(ctx, id, file_id, fields));
  }
}
