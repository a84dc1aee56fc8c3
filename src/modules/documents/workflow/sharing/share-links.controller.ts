import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { CreateShareLinkDto, ShareLinkDto, ShareLinksQuery } from './share-links.dto.js';
import { ShareLinks } from './share-links.service.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

@Controller('/api/v1/ext/papers/documents/:id/share-link')
export class ShareLinksController {
  constructor(private readonly links: ShareLinks) {}

  @Post()
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage', path: '/api/v1/org/papers/documents/:id/share-links' },
    operation: 'create_document_share_link',
    summary: 'Create a share link',
    returns: ShareLinkDto,
    status: 201,
    secrets: ['url'],
    openWorld: true,
    errors: [DocumentErrors.invalidTransition],
    description: 'Anyone with it can read the current document, marked DRAFT until finalized.',
  })
  async create(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: CreateShareLinkDto): Promise<ShareLinkDto> {
    const { link, url } = await this.links.create(ctx, id, body);
    return ShareLinkDto.from(link, url);
  }
}

@Controller('/api/v1/org/papers/documents/:id/share-links')
export class OrgShareLinksController {
  constructor(private readonly links: ShareLinks) {}

  @Get()
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'list_org_document_share_links',
    summary: 'List the links to a document',
    returns: ShareLinkDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Query() query: ShareLinksQuery): Promise<ListBody<ShareLinkDto>> {
    return listBody(await this.links.page(ctx, id, query), (link) => ShareLinkDto.from(link));
  }

  @Delete(':linkId')
  @Endpoint({
    permission: 'papers.document.manage',
    operation: 'revoke_org_document_share_link',
    summary: 'Revoke a link to a document',
    returns: null,
  })
  async revoke(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Id('linkId', 'Id of the link.') linkId: string): Promise<void> {
    await this.links.revoke(ctx, id, linkId);
  }
}
