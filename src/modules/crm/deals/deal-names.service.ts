import { Injectable } from '@nestjs/common';
import { CachedNames, hasAccess, Store, UNKNOWN_NAME, type Ctx } from '../../../kit/index.js';
import { CrmNames } from '../config/crm-names.service.js';
import { Contact } from '../contacts/contact.entity.js';
import { DealDto } from './deal.dto.js';
import type { Deal } from './deal.entity.js';

const CONTACTS = { scope: 'crm:contact:read', permission: 'crm.contact.view' };

/** Adds the names of what its ids refer to, contacts included, to a deal in an answer. */
@Injectable()
export class DealNames {
  private readonly contacts: CachedNames;

  constructor(
    store: Store,
    private readonly names: CrmNames,
  ) {
    this.contacts = CachedNames.ofColumn(store, Contact, 'full_name');
  }

  async one(ctx: Ctx, deal: Deal): Promise<DealDto> {
    return (await this.mapper(ctx, [deal]))(deal);
  }

  /** Contacts are named only to callers who may read them. */
  async mapper(ctx: Ctx, deals: readonly Deal[]): Promise<(deal: Deal) => DealDto> {
    const named = await this.names.mapper(ctx, deals, DealDto.from);
    if (!hasAccess(ctx, CONTACTS)) return named;
    const contact = await this.contacts.of(
      ctx,
      deals.flatMap(({ contact_ids }) => contact_ids),
    );
    return (deal) => ({ ...named(deal), contact_names: deal.contact_ids.map((id) => contact(id) ?? UNKNOWN_NAME) });
  }
}
