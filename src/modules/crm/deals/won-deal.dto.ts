import { Field, pickOf } from '../../../kit/index.js';
import type { Contact } from '../contacts/contact.entity.js';
import { ContactDto } from '../contacts/contacts.dto.js';
import { DealDto } from './deal.dto.js';

/** A contact of a won deal. */
export class DealContactDto extends pickOf(ContactDto, ['id', 'full_name', 'email', 'phone', 'company_name', 'job_title']) {}

/** A won deal with its contacts, which follow-ups such as agreements name. */
export class WonDealDto extends DealDto {
  @Field.object(() => DealContactDto, {
    description: 'The contacts, in the order of contact_ids.',
    example: undefined,
    list: { maxItems: 50 },
  })
  contacts: DealContactDto[];

  static withContacts(this: void, deal: DealDto, contacts: readonly Contact[]): WonDealDto {
    const known = new Map(
      contacts.map(({ id, full_name, email, phone, company_name, job_title }) => [
        id,
        { id, full_name, email, phone, company_name, job_title },
      ]),
    );
    return { ...deal, contacts: deal.contact_ids.flatMap((id) => known.get(id) ?? []) };
  }
}
