import { Body, Controller, Get, Patch, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../../../kit/index.js';
import { DocumentErrors } from '../../../model/core/documents.errors.js';
import { ChangePartyDto, SignaturePartyViewDto } from './org-parties.dto.js';
import { OrgParties } from './org-parties.service.js';
import { DOCUMENT_NUMBER } from '../../../model/records/document-number.js';

@Controller('/api/v1/org/papers/documents/:id/parties')
export class OrgPartiesController {
  constructor(private readonly parties: OrgParties) {}

  @Get()
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'list_org_document_parties',
    summary: 'List the signature parties of a document',
    returns: SignaturePartyViewDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string): Promise<ListBody<SignaturePartyViewDto>> {
    const data = await this.parties.shown(ctx, await this.parties.list(ctx, id));
    return listBody({ data, has_more: false, next_cursor: null }, (party) => party);
  }

  @Patch(':partyId')
  @Endpoint({
    permission: 'papers.document.manage',
    operation: 'update_org_document_party',
    summary: 'Let another person sign as a party',
    returns: SignaturePartyViewDto,
    openWorld: true,
    errors: [DocumentErrors.invalidTransition, CommonErrors.resourceConflict],
    description:
      'Possible until the party has signed or declined. A party that was already asked is asked again: the link of the previous person ' +
      'then shows only that someone else signs, and both are notified by mail. The values of the document and its final text stay as ' +
      'they are, so they may name the previous person; `earlier_signers`, the signing page and the certificate name both.',
  })
  async change(
    @Ctx() ctx: Ctx,
    @Id(DOCUMENT_NUMBER) id: string,
    @Id('partyId', 'Id of the party.') partyId: string,
    @Body() body: ChangePartyDto,
  ): Promise<SignaturePartyViewDto> {
    const [party] = await this.parties.shown(ctx, [await this.parties.change(ctx, id, partyId, body)]);
    return party;
  }

  @Post(':partyId/remind')
  @Endpoint({
    permission: 'papers.document.manage',
    operation: 'remind_org_document_party',
    summary: 'Send a party its link to sign again',
    returns: SignaturePartyViewDto,
    openWorld: true,
    errors: [DocumentErrors.invalidTransition, CommonErrors.rateLimited],
    description: 'Links of earlier mails keep working. A party can be reminded once an hour.',
  })
  async remind(
    @Ctx() ctx: Ctx,
    @Id(DOCUMENT_NUMBER) id: string,
    @Id('partyId', 'Id of the party.') partyId: string,
  ): Promise<SignaturePartyViewDto> {
    const [party] = await this.parties.shown(ctx, [await this.parties.remind(ctx, id, partyId)]);
    return party;
  }
}
