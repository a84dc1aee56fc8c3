import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { Ctx, Endpoint, Id, Upload, Uploaded } from '../../../../kit/index.js';
import { DocumentTypeZonesDto, ReplaceZonesDto } from './zones.dto.js';
import { ZoneExtractionDto } from './zone-extraction.dto.js';
import { ZoneExtraction } from './zone-extraction.service.js';
import { Zones } from './zones.service.js';

const returns = DocumentTypeZonesDto;
const MOST_BYTES = 10 * 1024 * 1024;
const TYPE = 'Id of the type, from list_document_types.';

@Controller('/api/v1/ext/papers/types/:id/zones')
export class ZonesController {
  constructor(private readonly zones: Zones) {}

  @Get()
  @Endpoint({
    scope: 'papers:document:read',
    member: { permission: 'papers.document.view' },
    operation: 'list_document_type_zones',
    summary: 'List the zones of a type',
    returns,
  })
  async list(@Ctx() ctx: Ctx, @Id('id', TYPE) id: string): Promise<DocumentTypeZonesDto> {
    return DocumentTypeZonesDto.from(id, await this.zones.of(ctx, id));
  }

  @Put()
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.setup.manage', description: 'Replaces all zones or none.' },
    operation: 'replace_document_type_zones',
    summary: 'Replace the zones of a type',
    returns,
    bareList: 'zones',
    description: 'With a test key, for test keys only.',
  })
  async replace(@Ctx() ctx: Ctx, @Id('id', TYPE) id: string, @Body() body: ReplaceZonesDto): Promise<DocumentTypeZonesDto> {
    return DocumentTypeZonesDto.from(id, await this.zones.replace(ctx, id, body.zones));
  }
}

@Controller('/api/v1/org/papers/types/:id/zones')
export class OrgZonesController {
  constructor(private readonly extraction: ZoneExtraction) {}

  @Post('extract')
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'extract_org_document_type_zones',
    summary: 'Read the values of a filled-in PDF',
    description:
      'Reads the text and the form fields in each zone of the type and returns the values that the type accepts. Stores nothing. ' +
      'A scanned page has no text, so its zones are empty.',
    returns: ZoneExtractionDto,
    upload: {
      'application/pdf': { type: 'string', description: 'The file, at most 10 MiB and 200 pages.', example: '%PDF-1.7' },
    },
    bodyLimit: MOST_BYTES,
  })
  extract(@Ctx() ctx: Ctx, @Id() id: string, @Uploaded() { bytes }: Upload): Promise<ZoneExtractionDto> {
    return this.extraction.extract(ctx, id, bytes);
  }
}
