import { Body, Controller, Get, Put } from '@nestjs/common';
import { Ctx, Endpoint, Id } from '../../../../kit/index.js';
import { DocumentTypeZonesDto, ReplaceZonesDto } from './zones.dto.js';
import { Zones } from './zones.service.js';

const returns = DocumentTypeZonesDto;
const TYPE = 'Id of the type, from list_document_types.';

@Controller('/api/v1/ext/papers/types/:id/zones')
export class ZonesController {
  constructor(private readonly zones: Zones) {}

  @Get()
  @Endpoint({
    scope: 'papers:document:read',
    operation: 'list_document_type_zones',
    summary: 'List the zones of a document type',
    description: 'Where on the pages of a form the values of its fields are.',
    returns,
  })
  async list(@Ctx() ctx: Ctx, @Id('id', TYPE) id: string): Promise<DocumentTypeZonesDto> {
    return DocumentTypeZonesDto.from(id, await this.zones.of(ctx, id));
  }

  @Put()
  @Endpoint({
    scope: 'papers:document:write',
    operation: 'replace_document_type_zones',
    summary: 'Replace all zones of a document type',
    returns,
    bareList: 'zones',
    description: 'Replaces all or none. A test key replaces them only for test keys, which see the live zones until then.',
  })
  async replace(@Ctx() ctx: Ctx, @Id('id', TYPE) id: string, @Body() body: ReplaceZonesDto): Promise<DocumentTypeZonesDto> {
    return DocumentTypeZonesDto.from(id, await this.zones.replace(ctx, id, body.zones));
  }
}

@Controller('/api/v1/org/papers/types/:id/zones')
export class OrgZonesController {
  constructor(private readonly zones: Zones) {}

  @Get()
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'list_org_document_type_zones',
    summary: 'List the zones of a document type',
    returns,
  })
  async list(@Ctx() ctx: Ctx, @Id() id: string): Promise<DocumentTypeZonesDto> {
    return DocumentTypeZonesDto.from(id, await this.zones.of(ctx, id));
  }

  @Put()
  @Endpoint({
    permission: 'papers.setup.manage',
    operation: 'replace_org_document_type_zones',
    summary: 'Replace all zones of a document type',
    returns,
    bareList: 'zones',
  })
  async replace(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: ReplaceZonesDto): Promise<DocumentTypeZonesDto> {
    return DocumentTypeZonesDto.from(id, await this.zones.replace(ctx, id, body.zones));
  }
}
