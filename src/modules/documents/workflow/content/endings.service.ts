import { Injectable } from '@nestjs/common';
import { Store, type Ctx, currentTime } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';
import type { Ending } from '../../pages/gone-page.js';
import type { Look } from '../../settings/document-looks.service.js';

/** What readers are told about the end of a document: when it came, and by whom. */
@Injectable()
export class Endings {
  constructor(private readonly store: Store) {}

  async of(ctx: Ctx, document: Document, { organization }: Look): Promise<Ending> {
    const { id, revision, state, number, sending, signing_deadline_at, executed_at } = document;
    const contact = { name: sending?.sender_name ?? organization, email: sending?.reply_to ?? null };
    const ending = (at: Date | null, by: string | null): Ending => ({ number, at, by, contact });
    if (state === 'declined') {
      const [party] = (await this.store.list(ctx, SignatureParty, { document_id: id, revision, status: 'declined' })) as (
        | SignatureParty
        | undefined
      )[];
      return ending(party?.declined_at ?? null, party ? `${party.name} (${party.label})` : null);
    }
    if (state === 'revoked' || state === 'superseded' || state === 'rejected') {
      const entries = await this.store.list(ctx, AuditEntry, { document_id: id, to_state: state });
      return ending(entries.find(({ from_state }) => from_state !== state)?.created_at ?? null, organization);
    }
    if (executed_at !== null) return ending(executed_at, null);
    const isLate = signing_deadline_at !== null && (state === 'expired' || signing_deadline_at <= currentTime());
    return ending(isLate ? signing_deadline_at : null, null);
  }
}
