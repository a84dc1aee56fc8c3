import { Body, Controller, Get, Put } from '@nestjs/common';
import { Ctx, Endpoint, Id, Upload, Uploaded } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { DocumentFileDto, ReplacePlacedFieldsDto } from './document-files.dto.js';
import { DocumentFiles, MOST_FILE_BYTES } from './document-files.service.js';

@Controller('/api/v1/org/papers/documents/:id/file')
export class OrgDocumentFileController {
  constructor(private readonly files: DocumentFiles) {}

  @Get()
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'get_org_document_file',
    summary: 'Get the fields on the PDF of a document',
    returns: DocumentFileDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<DocumentFileDto> {
    return DocumentFileDto.from(await this.files.get(ctx, id));
  }

  @Put()
  @Endpoint({
    permission: 'papers.document.manage',
    operation: 'replace_org_document_file',
    summary: 'Use an existing PDF as the text of a document',
    description:
      'Only while the document is a draft or returned. The file replaces the text of the template: what is finalized, signed and sealed ' +
      'is this file, with its form fields as part of the pages. Fields are kept if the new file has their page. A file that opens ' +
      'without a password, and whose author permits to change or sign it, is stored without its encryption.',
    returns: DocumentFileDto,
    upload: { 'application/pdf': { type: 'string', description: 'The file, at most 10 MiB and 200 pages.', example: '%PDF-1.7' } },
    bodyLimit: MOST_FILE_BYTES,
    errors: [DocumentErrors.invalidTransition],
  })
  async replace(@Ctx() ctx: Ctx, @Id() id: string, @Uploaded() upload: Upload): Promise<DocumentFileDto> {
    return DocumentFileDto.from(await this.files.replace(ctx, id, upload));
  }

  @Put('fields')
  @Endpoint({
    permission: 'papers.document.manage',
    operation: 'replace_org_document_file_fields',
    summary: 'Place the fields that the parties fill in',
    description: 'The parties fill in their texts when they sign; the sealed PDF shows all values where the fields are.',
    returns: DocumentFileDto,
    errors: [DocumentErrors.invalidTransition],
  })
  async place(@Ctx() ctx: Ctx, @Id() id: string, @Body() { fields }: ReplacePlacedFieldsDto): Promise<DocumentFileDto> {
    return DocumentFileDto.from(await this.files.place(ctx, id, fields));
  }
}
