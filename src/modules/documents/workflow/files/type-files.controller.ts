import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { Ctx, Endpoint, FileResponse, Id, SentFiles, type SentFile } from '../../../../kit/index.js';
import { ReplaceDocumentFileDto } from './document-files.dto.js';
import { ReplaceTypeFieldsDto } from './placed-fields.dto.js';
import { FILE_UPLOAD } from './given-files.service.js';
import { AddTypeFileDto, DocumentTypeFileDto, TypeFileIdQuery, TypeFileQuery } from './type-files.dto.js';
import { TypeFiles } from './type-files.service.js';

const permission = 'papers.setup.manage';

@Controller('/api/v1/org/papers/types/:id/file')
export class OrgTypeFileController {
  constructor(private readonly files: TypeFiles) {}

  @Get()
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'get_org_document_type_file',
    summary: 'Get the PDF of a document type, or what stands on it',
    returns: DocumentTypeFileDto,
    produces: { 'application/pdf': 'The file as it was uploaded.' },
  })
  async get(
    @Ctx() ctx: Ctx,
    @Id() id: string,
    @Query() { format, file_id, version }: TypeFileQuery,
  ): Promise<DocumentTypeFileDto | FileResponse> {
    const found = await this.files.get(ctx, id, file_id, version);
    if (format !== 'pdf') return DocumentTypeFileDto.from(found);
    return new FileResponse('application/pdf', await this.files.stream(ctx, found.row), {
      filename: `${found.name}.pdf`,
      headers: { 'Cache-Control': 'no-store' },
    });
  }

  @Put()
  @Endpoint({
    permission,
    operation: 'replace_org_document_type_file',
    summary: 'Use an existing PDF as the text of the documents of a type',
    description:
      'Documents of the next published version consist of the file instead of the template. Fields and values are kept if the new file ' +
      'has their place; dropped_fields names the others. Documents of earlier versions keep theirs.',
    returns: DocumentTypeFileDto,
    files: { ...FILE_UPLOAD, mediaType: 'application/pdf' },
  })
  async replace(
    @Ctx() ctx: Ctx,
    @Id() id: string,
    @Query() { file_id }: TypeFileIdQuery,
    @Body() body: ReplaceDocumentFileDto,
    @SentFiles() sent: readonly SentFile[],
  ): Promise<DocumentTypeFileDto> {
    return DocumentTypeFileDto.from(await this.files.replace(ctx, id, file_id, body, sent.at(0)));
  }

  @Put('fields')
  @Endpoint({
    permission,
    operation: 'replace_org_document_type_file_fields',
    summary: 'Place fields and values on the PDF of a type',
    description: 'The parties fill in the fields when they sign; the values are those of each document, printed when it is finalized.',
    returns: DocumentTypeFileDto,
  })
  async place(
    @Ctx() ctx: Ctx,
    @Id() id: string,
    @Query() { file_id }: TypeFileIdQuery,
    @Body() body: ReplaceTypeFieldsDto,
  ): Promise<DocumentTypeFileDto> {
    return DocumentTypeFileDto.from(await this.files.place(ctx, id, file_id, body));
  }

  @Delete()
  @Endpoint({
    permission,
    operation: 'delete_org_document_type_file',
    summary: 'Use the template of a type again',
    description: 'From the next published version on. Published versions keep their file.',
    returns: null,
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.files.remove(ctx, id, null);
  }
}

@Controller('/api/v1/org/papers/types/:id/files')
export class OrgTypeFilesController {
  constructor(private readonly files: TypeFiles) {}

  @Post()
  @Endpoint({
    permission,
    operation: 'add_org_document_type_file',
    summary: 'Add a file to a document type',
    description:
      'Documents of the next published version are signed with it, after their own content; so are those of bulk sends and triggers. ' +
      'At most 20 files, 10 MiB and 200 pages together.',
    returns: DocumentTypeFileDto,
    status: 201,
    ifMatch: true,
    files: { ...FILE_UPLOAD, mediaType: 'application/pdf' },
  })
  async add(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the type.') id: string,
    @Body() body: AddTypeFileDto,
    @SentFiles() sent: readonly SentFile[],
  ): Promise<DocumentTypeFileDto> {
    return DocumentTypeFileDto.from(await this.files.add(ctx, id, body, sent.at(0)));
  }

  @Delete(':file_id')
  @Endpoint({
    permission,
    operation: 'remove_org_document_type_file',
    summary: 'Remove a file from a document type',
    description: 'From the next published version on. Published versions keep it.',
    returns: null,
  })
  remove(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the type.') id: string,
    @Id('file_id', 'From files of the type.') fileId: string,
  ): Promise<void> {
    return this.files.remove(ctx, id, fileId);
  }
}
