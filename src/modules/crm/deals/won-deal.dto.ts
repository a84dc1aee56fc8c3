import { Field } from '../../../kit/index.js';
import type { Contact } from '../contacts/contact.entity.js';
import { DealDto } from './deal.dto.js';
import { EXAMPLE } from './example-ids.js';

/** A contact of a won deal. */
export class DealContactDto {
  @Field.uuid({
    description: 'Id of the contact.',
    example: EXAMPLE.contact,
  })
  id: string;

  @Field.string({
    description: 'Full name.',
    example: 'Ada Lovelace',
  })
  full_name: string;

  @Field.email({
    description: 'E-mail address.',
    example: 'ada@example.com',
    nullable: true,
  })
  email: string | null;

  @Field.string({
    description: 'Phone number, in E.164 form when it is known to be valid.',
    example: '+4930901820',
    nullable: true,
  })
  phone: string | null;

  @Field.string({
    description: 'Company.',
    example: 'Acme GmbH',
    nullable: true,
  })
  company_name: string | null;

  @Field.string({
    description: 'Position in the company.',
    example: 'Head of Purchasing',
    nullable: true,
  })
  job_title: string | null;
}

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
