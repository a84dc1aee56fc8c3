import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { CommonErrors, Contexts, Ctx, Endpoint, FileResponse, Files, isUuid, Public, sql, table, type FileOf } from '../../../kit/index.js';
import { DocumentSettingsDto, UpdateDocumentSettingsDto } from './document-settings.dto.js';
import { DocumentSettings } from './document-settings.entity.js';
import { DocumentSettingsService } from './document-settings.service.js';

const FILE = /^([0-9a-f-]{36})-([0-9a-f]{16})\.(?:png|jpg)$/;

@Controller('/api/v1/org/papers/settings')
export class OrgDocumentSettingsController {
  constructor(private readonly settings: DocumentSettingsService) {}

  @Get()
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'get_org_document_settings',
    summary: 'Get the settings of documents',
    returns: DocumentSettingsDto,
  })
  async get(@Ctx() ctx: Ctx): Promise<DocumentSettingsDto> {
    return DocumentSettingsDto.from(await this.settings.get(ctx));
  }

  @Patch()
  @Endpoint({
    permission: 'papers.setup.manage',
    operation: 'update_org_document_settings',
    summary: 'Change the settings of documents',
    description: 'Color and logo of the pages and mails to outsiders, who may embed signing pages, and automatic reminders.',
    returns: DocumentSettingsDto,
    confirmation: true,
  })
  async update(@Ctx() ctx: Ctx, @Body() body: UpdateDocumentSettingsDto): Promise<DocumentSettingsDto> {
    return DocumentSettingsDto.from(await this.settings.update(ctx, body));
  }
}

@Controller('/papers/logo')
export class LogoController {
  constructor(
    private readonly contexts: Contexts,
    private readonly files: Files,
  ) {}

  @Get(':file')
  @Public('Pages and mails to outsiders show the logo, and it is the same for everyone', { limited: false })
  async read(@Param('file') file: string): Promise<FileResponse> {
    const [, organizationId, hash] = FILE.exec(file) ?? [];
    const row = !isUuid(organizationId) ? null : await this.contexts.findAcrossTenants<LogoRow>(byAddress(organizationId, hash));
    if (!row) throw CommonErrors.notFound();
    const ctx = this.contexts.guest({ organizationId, projectId: null, mode: 'live' }, null);
    return new FileResponse(row.logo_type as string, await this.files.read(ctx, row, 'logo'), {
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable', 'Cross-Origin-Resource-Policy': 'cross-origin' },
    });
  }
}

type LogoRow = Pick<DocumentSettings, 'organization_id' | 'logo_type'> & FileOf<'logo'>;

const byAddress = (organizationId: string, hash: string) => sql.unscoped('the logo that an address names')`
  SELECT s.organization_id, s.logo, s.logo_object_id, s.logo_type FROM ${table(DocumentSettings)} s
  WHERE s.organization_id = ${organizationId} AND s.logo_sha256 LIKE ${`${hash}%`}`;
