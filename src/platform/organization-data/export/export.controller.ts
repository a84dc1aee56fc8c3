import { Controller, Get, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Field, FileResponse, Store } from '../../../kit/index.js';
import { Cursors } from '../../persistence/rows/cursors.js';
import { OrganizationExport, type ExportCursor } from './organization-export.js';

export class ExportQuery {
  @Field.string({
    description: 'Where to continue: the header Svc-Next-Cursor of the part before. Left out for the first part.',
    example: 'eyJ0YWJsZSI6Im1haWxzIn0',
    maxLength: 20_000,
    required: false,
  })
  cursor?: string;
}

@Controller('api/v1/org/organization/export')
export class ExportController {
  constructor(
    private readonly exports: OrganizationExport,
    private readonly store: Store,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Endpoint({
    operation: 'export_organization',
    summary: 'Export a part of all data of the organization',
    description:
      'All rows as JSON Lines and all files, without secrets, as a tar.gz archive: append the parts to one file until a part has no ' +
      'header Svc-Next-Cursor. A part that failed can be requested again. The last part contains manifest.json, which describes ' +
      'tables and columns.',
    permission: 'org.data.export',
    confirmation: true,
    returns: null,
    writesOnGet: 'The audit log notes the export',
    produces: { 'application/gzip': 'A part of a tar.gz archive.' },
    errors: [CommonErrors.invalidCursor],
  })
  async part(@Ctx() ctx: Ctx, @Query() { cursor }: ExportQuery): Promise<FileResponse> {
    // signed: only a first part, which the audit log notes, leads to further ones
    const list = `export of ${ctx.organizationId} by ${ctx.actor.id}`;
    const [at] = cursor === undefined ? [null] : (this.cursors.decode(cursor, list) as [ExportCursor]);
    const { content, next } = await this.exports.part(ctx.organizationId, at);
    if (cursor === undefined)
      await this.store.write(ctx, async (tx) =>
        tx.advanced.audit({ action: 'exported', objectType: 'organization', objectId: ctx.organizationId }),
      );
    const header = next && { 'Svc-Next-Cursor': this.cursors.encode([next], list) };
    return new FileResponse('application/gzip', content, {
      filename: 'organization.tar.gz',
      download: true,
      headers: { 'Cache-Control': 'no-store', ...header },
    });
  }
}
