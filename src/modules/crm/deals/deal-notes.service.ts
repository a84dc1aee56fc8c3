import { Injectable } from '@nestjs/common';
import { Store, type Ctx, type Page } from '../../../kit/index.js';
import { DealNote } from './deal-note.entity.js';
import type { CreateDealNoteDto, DealNotesQuery } from './deal-notes.dto.js';
import { Deal } from './deal.entity.js';

/** Notes on deals. */
@Injectable()
export class DealNotes {
  constructor(private readonly store: Store) {}

  async page(ctx: Ctx, dealId: string, query: DealNotesQuery): Promise<Page<DealNote>> {
    await this.store.get(ctx, Deal, dealId);
    return this.store.page(ctx, DealNote, query, { deal_id: dealId });
  }

  create(ctx: Ctx, dealId: string, { body }: CreateDealNoteDto): Promise<DealNote> {
    return this.store.write(ctx, async (tx) => {
      const { id, project_id } = await tx.get(Deal, dealId);
      return tx.insert(DealNote, { project_id, deal_id: id, body, author: ctx.actor });
    });
  }
}
