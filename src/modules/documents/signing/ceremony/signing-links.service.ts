import { Injectable } from '@nestjs/common';
import { CommonErrors, Contexts, type Ctx, type Mode } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { tokenHash } from '../../pages/public-token.js';
import { isBeingSigned } from '../../model/core/document-states.js';
import type { SignatureParty } from '../../model/records/signature-party.entity.js';

/** Whom a signing link let in, and where. */
export interface SigningLink {
  ctx: Ctx;
  token: string;
  partyId: string;
  documentId: string;
  /** The organisation that sent the document. */
  organization: string;
}

/** `open`: the party may sign; `signed`: it has, others have not yet; `executed`: all have. */
export type Standing = 'open' | 'signed' | 'executed';

/** Finds out who is behind a link. */
@Injectable()
export class SigningLinks {
  constructor(private readonly contexts: Contexts) {}

  /** `requestId` is that of the visitor's call, for what it changes. */
  async find(token: string, requestId: string | null = null): Promise<SigningLink> {
    const hash = tokenHash(token);
    const row = hash === null ? null : await this.contexts.findAcrossTenants<LinkRow>(BY_HASH, [hash]);
    if (!row)
      throw CommonErrors.notFound({
        message: 'This link is not known. Check that it was copied whole; a newer mail may hold a newer link.',
      });
    const ctx = this.contexts.guest(
      { organizationId: row.organization_id, projectId: row.project_id, mode: row.mode },
      row.email,
      requestId,
    );
    return { ctx, token, partyId: row.id, documentId: row.document_id, organization: row.organization };
  }
}

interface LinkRow {
  id: string;
  organization_id: string;
  project_id: string;
  mode: Mode;
  document_id: string;
  email: string;
  organization: string;
}

const BY_HASH = `
  SELECT p.id, p.organization_id, p.project_id, p.mode, p.document_id, p.email, o.name AS organization
  FROM signature_parties p JOIN organizations o ON o.id = p.organization_id
  WHERE p.token_hash = $1 OR p.copy_token_hash = $1`;

/** What a party may do with its link now; a link that leads nowhere any more is refused with the reason. */
export function standingOf(document: Document, party: SignatureParty, now: Date): Standing {
  if (party.revision === document.revision) {
    if (party.status === 'signed' && document.executed_at !== null) return 'executed';
    if (isBeingSigned(document.state)) {
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
    return 'This link is no longer valid; if the document is sent again, you will get a new one.';
  if (executed_at !== null) return 'The document was completed without your signature.';
  if (state === 'revoked') return 'The sender has withdrawn this document.';
  if (state === 'declined') return 'Another party has declined to sign this document.';
  if (state === 'superseded') return 'Another document has taken the place of this one.';
  if (state === 'expired' || isBeingSigned(state)) return 'The time to sign this document is over. Ask its sender if you still want to.';
  return 'This document is no longer to be signed.';
}
