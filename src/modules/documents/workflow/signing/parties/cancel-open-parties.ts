import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../../../kit/index.js';
import { isBeingSigned, type DocumentState } from '../../../model/core/document-states.js';
import type { Document } from '../../../model/records/document.entity.js';
import { SignatureParty, type PartyStatus } from '../../../model/records/signature-party.entity.js';
import type { MoveHook } from '../../moves/move-hook.js';

/** Statuses of a party that may still sign, now or later in the signing order. */
const OPEN: readonly PartyStatus[] = ['waiting', 'invited', 'viewed'];

/** Cancels the parties that have not signed when the document leaves the states in which it can be signed, or before it is sent. */
@Injectable()
export class CancelOpenParties implements MoveHook {
  async beforeMove(tx: Tx, { id, revision, state, send_request }: Document, to: DocumentState): Promise<void> {
    const isAsked = isBeingSigned(state) || send_request !== null;
    if (!isAsked || isBeingSigned(to)) return;
    for (const party of await tx.list(SignatureParty, { document_id: id, revision, status: OPEN }))
      await tx.update(party, { status: 'cancelled' });
  }
}
