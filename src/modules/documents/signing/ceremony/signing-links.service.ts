import { Injectable } from '@nestjs/common';
import { Contexts, type Ctx, type TokenRow } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { isBeingSigned } from '../../model/core/document-states.js';
import type { SignatureParty } from '../../model/records/signature-party.entity.js';

/** The party and document of a signing link, in the context of its guest. */
export interface SigningLink {
  ctx: Ctx;
  token: string;
  partyId: string;
  documentId: string;
  /** Name of the organization that sent the document. */
  organization: string;
}

/** `open`: the party may sign; `signed`: it has signed, others have not; `executed`: all parties have signed. */
export type Standing = 'open' | 'signed' | 'executed';

/** Resolves signing links. */
@Injectable()
export class SigningLinks {
  constructor(private readonly contexts: Contexts) {}

  /** `requestId` of the visitor's request is recorded with the changes that it makes. */
  async find(token: string, requestId: string | null = null): Promise<SigningLink> {
    const { ctx, row } = await this.contexts.byToken<LinkRow>(token, BY_HASH, { unknown: UNKNOWN, requestId });
    return { ctx, token, partyId: row.id, documentId: row.document_id, organization: row.organization };
  }
}

interface LinkRow extends TokenRow {
  document_id: string;
  organization: string;
}

const UNKNOWN = 'This link is unknown. Check that you copied it completely and that no later mail contains a newer link.';

const BY_HASH = `
  SELECT p.id, p.organization_id, p.project_id, p.mode, p.document_id, p.email, o.name AS organization
  FROM signature_parties p JOIN organizations o ON o.id = p.organization_id
  WHERE p.token_hash = $1 OR p.copy_token_hash = $1`;

/**
 * What a party can do with its link now. A link that no longer works fails with the reason. `isSealed`: all parties signed the
 * revision that the party was sent. Then the signer's copy stays theirs, even if the document has a later revision.
 */
export function standingOf(
  document: Document,
  party: SignatureParty,
  now: Date,
  isSealed = party.revision === document.revision && document.executed_at !== null,
): Standing {
  if (party.status === 'signed' && isSealed) return 'executed';
  if (party.revision === document.revision) {
    // a link that is opened proves that its mail was delivered, even if that is not recorded yet
    if (isBeingSigned(document.state) || document.send_request !== null) {
      if (party.status === 'signed') return 'signed';
      const isInTime = document.signing_deadline_at === null || now < document.signing_deadline_at;
      if ((party.status === 'invited' || party.status === 'viewed') && isInTime) return 'open';
    }
  }
  throw DocumentErrors.linkExpired({ message: reasonOf(document, party) });
}

function reasonOf({ state, executed_at, revision }: Document, party: SignatureParty): string {
  if (party.status === 'declined') return 'You have declined to sign this document.';
  if (party.revision !== revision || party.status === 'waiting')
    return 'This link is no longer valid. If the document is sent again, you will receive a new one.';
  if (executed_at !== null) return 'The document was completed without your signature.';
  if (state === 'revoked') return 'The sender has withdrawn this document.';
  if (state === 'declined') return 'Another party has declined to sign this document.';
  if (state === 'superseded') return 'This document was replaced by another one.';
  if (state === 'expired' || isBeingSigned(state))
    return 'The time to sign this document is over. Contact its sender if you still want to sign.';
  return 'This document can no longer be signed.';
}
