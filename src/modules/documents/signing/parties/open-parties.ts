import type { Tx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { DocumentState } from '../../model/document-states.js';
import { SignatureParty, type PartyStatus } from '../../model/records/signature-party.entity.js';

/** Statuses of a party that may still sign, now or when its turn comes. */
const OPEN: readonly PartyStatus[] = ['waiting', 'invited', 'viewed'];

/** Whether signatures are being collected in this state. */
export function isBeingSigned(state: DocumentState): boolean {
  return state === 'sent' || state === 'partially_signed';
}

/** Takes the request back from all who have not answered it, when the document leaves the states in which it can be signed. */
export async function cancelOpenParties(tx: Tx, { id, revision }: Document): Promise<void> {
  for (const party of await tx.list(SignatureParty, { document_id: id, revision, status: OPEN }))
    await tx.update(party, { status: 'cancelled' });
}
