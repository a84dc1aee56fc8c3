import { Injectable } from '@nestjs/common';
import { CommonErrors, requireAccess, Store, type Access, type Ctx, type Tx, currentTime } from '../../../kit/index.js';
import { Contact } from '../contacts/contact.entity.js';
import { ContactsService } from '../contacts/contacts.service.js';
import { CrmConfig, stagesOf } from '../config/crm-config.service.js';
import { CrmNames } from '../config/crm-names.service.js';
import { DealsService } from '../deals/deals.service.js';
import type { ConvertLeadDto, LeadConversion } from './lead-conversion.dto.js';
import { Lead } from './lead.entity.js';
import { LeadDto } from './leads.dto.js';
import { LeadEvents } from './leads.events.js';

const DEAL_ACCESS: Access = { scope: 'crm:deal:write', permission: 'crm.deal.manage' };

/** Converts a lead to a contact and, on request, a deal; only once per lead. */
@Injectable()
export class LeadConversionService {
  constructor(
    private readonly store: Store,
    private readonly config: CrmConfig,
    private readonly contacts: ContactsService,
    private readonly deals: DealsService,
    private readonly names: CrmNames,
  ) {}

  convert(ctx: Ctx, id: string, body: ConvertLeadDto): Promise<LeadConversion> {
    if (body.deal) requireAccess(ctx, DEAL_ACCESS, 'deal');
    return this.store.write(ctx, async (tx) => {
      const lead = await tx.target(Lead, id);
      if (lead.converted_at)
        throw CommonErrors.duplicate({ message: `This lead was already converted to the contact ${lead.converted_contact_id}.` });
      const contact =
        body.contact_id === undefined ? await this.contacts.createFromLead(ctx, tx, lead) : await contactFor(tx, lead, body.contact_id);
      const deal = body.deal
        ? await this.deals.createIn(ctx, tx, lead.project_id, {
            source_id: lead.source_id,
            owner_id: contact.owner_id,
            ...body.deal,
            contact_ids: [contact.id],
          })
        : null;
      const converted = await tx.update(lead, {
        ...(await this.qualified(tx, lead)),
        converted_at: currentTime(),
        converted_contact_id: contact.id,
        converted_deal_id: deal?.id ?? null,
      });
      tx.emit(LeadEvents.leadConverted, {
        ...(await this.names.change(ctx, lead, converted, LeadDto.from)),
        context: { contact_id: contact.id, deal_id: deal?.id ?? null },
        projectId: lead.project_id,
      });
      return { lead: converted, contact, deal };
    });
  }

  /** The change to the first qualified status of the pipeline; none when the lead is qualified already. */
  private async qualified(tx: Tx, lead: Lead): Promise<Partial<Lead>> {
    if (lead.status_kind === 'won') return {};
    const status = stagesOf(await this.config.of(tx, lead.project_id), lead.pipeline_id).find(({ kind }) => kind === 'won');
    return status ? { status_id: status.id, status_kind: status.kind } : {};
  }
}

function contactFor(tx: Tx, { project_id: projectId }: Lead, id: string): Promise<Contact> {
  return tx.reference(Contact, id, 'contact_id', { projectId, message: "must be a contact of the lead's project" });
}
