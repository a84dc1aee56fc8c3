import { Field } from '../../../kit/index.js';
import { EXAMPLE } from '../fields/example-ids.js';
import { ContactDto } from '../contacts/contacts.dto.js';
import type { Contact } from '../contacts/contact.entity.js';
import { DealFieldsDto } from '../deals/deal-requests.dto.js';
import { DealDto } from '../deals/deal.dto.js';
import type { Deal } from '../deals/deal.entity.js';
import { LeadDto } from './leads.dto.js';
import type { Lead } from './lead.entity.js';

/** The body of convert_lead; may be empty. */
export class ConvertLeadDto {
  @Field.uuid({
    description: 'An existing contact of the same project, from list_contacts; when omitted, a new contact is created from the lead.',
    example: EXAMPLE.contact,
    required: false,
  })
  contact_id?: string;

  @Field.object(() => DealFieldsDto, {
    description: 'A deal to open with the contact; none when omitted. Also requires the scope crm:deal:write.',
    example: { title: 'Annual license for Acme', amount: 1_250_000, currency: 'EUR' },
    required: false,
  })
  deal?: DealFieldsDto;
}

/** The result of a conversion. */
export interface LeadConversion {
  lead: Lead;
  contact: Contact;
  deal: Deal | null;
}

/** The response of convert_lead. */
export class LeadConversionDto {
  @Field.constant('lead_conversion')
  object: string;

  @Field.object(() => LeadDto, {
    description: 'The converted lead.',
    example: undefined,
  })
  lead: LeadDto;

  @Field.object(() => ContactDto, {
    description: 'The contact of the lead.',
    example: undefined,
  })
  contact: ContactDto;

  @Field.object(() => DealDto, {
    description: 'The opened deal; null without one.',
    example: undefined,
    nullable: true,
  })
  deal: DealDto | null;

  static from(this: void, converted: Omit<LeadConversionDto, 'object'>): LeadConversionDto {
    return { object: 'lead_conversion', ...converted };
  }
}
