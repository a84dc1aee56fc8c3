import { Body, Controller, Post } from '@nestjs/common';
import { Ctx, Endpoint, Id } from '../../../../../kit/index.js';
import { DocumentErrors } from '../../../model/core/documents.errors.js';
import { CreateSigningLinkDto, SigningLinkDto } from './signing-links.dto.js';
import { OrgParties } from './org-parties.service.js';
import { DOCUMENT_NUMBER } from '../../../model/records/document-number.js';

@Controller('/api/v1/ext/papers/documents/:id/signing-link')
export class EmbeddedSigningController {
  constructor(private readonly parties: OrgParties) {}

  @Post()
  @Endpoint({
    scope: 'papers:workflow:act',
    operation: 'create_document_signing_link',
    summary: 'Create a signing link',
    description: 'It opens once, for an hour; whoever opens it can sign.',
    returns: SigningLinkDto,
    status: 201,
    secrets: ['url'],
    openWorld: true,
    errors: [DocumentErrors.invalidTransition],
    member: { permission: 'papers.document.manage' },
  })
  create(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: CreateSigningLinkDto): Promise<SigningLinkDto> {
    return this.parties.createLink(ctx, id, body);
  }
}
