import { Injectable } from '@nestjs/common';
import {
  Contexts,
  newToken,
  sql,
  Store,
  table,
  tokenHash,
  type Actor,
  type Ctx,
  type TokenRow,
  currentTime,
} from '../../../../../kit/index.js';
import { Document } from '../../../model/records/document.entity.js';
import { DocumentErrors } from '../../../model/core/documents.errors.js';
import { isBeingSigned } from '../../../model/core/document-states.js';
import { SignatureParty } from '../../../model/records/signature-party.entity.js';
import { SigningLinkRow, type SigningLinkKind } from '../../../model/records/signing-link.entity.js';
import { DocumentLooks, type Look } from '../../../settings/document-looks.service.js';

/** The party and document of a signing link, in the context of its guest. */
export interface SigningLink {
  ctx: Ctx;
  token: string;
  partyId: string;
  documentId: string;
  /** Of the newest mail: `current`. Links of earlier mails to the same person, `earlier`, work just the same. */
  kind: 'current' | SigningLinkKind;
  /** Who made it, if it is for a frame. */
  madeBy: Actor | null;
  look: Look;
}

/** `open`: the party may sign; `signed`: it has signed, others have not; `executed`: all parties have signed. */
export type Standing = 'open' | 'signed' | 'executed';

/** How long a page in a frame can be used after it was opened. */
const SESSION_MS = 60 * 60_000;

/** Resolves signing links. */
@Injectable()
export class SigningLinks {
  constructor(
    private readonly contexts: Contexts,
    private readonly store: Store,
    private readonly looks: DocumentLooks,
  ) {}

  /** `requestId` of the visitor's request is recorded with the changes that it makes. */
  async find(token: string, requestId: string | null = null): Promise<SigningLink> {
    const { ctx, row } = await this.contexts.byToken<LinkRow>(token, byHash, { unknown: UNKNOWN, requestId });
    const { document_id: documentId, id: partyId, kind, made_by: madeBy, expires_at } = row;
    const isExpired = expires_at !== null && expires_at <= currentTime();
    return {
      ctx,
      token,
      partyId,
      documentId,
      kind: isExpired && kind === 'session' ? 'embed' : kind,
      madeBy,
      look: await this.looks.of(ctx, row),
    };
  }

  /** Exchanges a link for a frame for the token of a session. It works once. */
  openFrame({ ctx, token, look }: SigningLink): Promise<string> {
    return this.store.write(ctx, async (tx) => {
      const [link] = await tx.lockWhere(SigningLinkRow, { token_hash: tokenHash(token), kind: 'embed' });
      if (!link || link.used_at !== null || (link.expires_at !== null && link.expires_at <= currentTime()))
        throw DocumentErrors.linkExpired({ message: look.texts.gone.used });
      const session = newToken();
      const { project_id, document_id, party_id, made_by } = link;
      await tx.update(link, { used_at: tx.startedAt });
      await tx.insert(SigningLinkRow, {
        project_id,
        document_id,
        party_id,
        token_hash: session.hash,
        kind: 'session',
        made_by,
        expires_at: new Date(tx.startedAt.getTime() + SESSION_MS),
      });
      return session.token;
    });
  }
}

interface LinkRow extends TokenRow {
  document_id: string;
  type_id: string;
  type_version: number;
  kind: SigningLink['kind'];
  made_by: Actor | null;
  expires_at: Date | null;
}

const UNKNOWN = 'This link is unknown.';

const byHash = (hash: string) => sql.unscoped('the party whom a token names')`
  SELECT p.id, p.organization_id, p.project_id, p.mode, p.document_id, p.email, d.type_id, d.type_version, 'current' AS kind,
    NULL::jsonb AS made_by, NULL::timestamptz AS expires_at
  FROM ${table(SignatureParty)} p JOIN ${table(Document)} d ON d.id = p.document_id
  WHERE p.token_hash = ${hash} OR p.copy_token_hash = ${hash}
  UNION ALL
  SELECT l.party_id, l.organization_id, l.project_id, l.mode, l.document_id, CASE WHEN l.kind = 'passed_on' THEN NULL ELSE p.email END,
    d.type_id, d.type_version, l.kind, l.made_by, l.expires_at
  FROM ${table(SigningLinkRow)} l JOIN ${table(Document)} d ON d.id = l.document_id
    LEFT JOIN ${table(SignatureParty)} p ON p.id = l.party_id
  WHERE l.token_hash = ${hash}`;

/**
 * What a party can do with its link now. A link that no longer works fails with the reason. `isSealed`: all parties signed the revision
 * that the party was sent; then signers keep access to their copy, even if the document has a later revision.
 */
export function standingOf(
  { kind, look }: Pick<SigningLink, 'kind' | 'look'>,
  document: Document,
  party: SignatureParty | null,
  now: Date,
  isSealed = party?.revision === document.revision && document.executed_at !== null,
): Standing {
  const { gone } = look.texts;
  if (kind === 'passed_on') throw DocumentErrors.linkExpired({ message: gone.passedOn });
  if (kind === 'embed') throw DocumentErrors.linkExpired({ message: gone.used });
  if (party === null) throw DocumentErrors.linkExpired({ message: gone.reissued });
  const standing = currentStanding(document, party, now, isSealed);
  if (standing === null) throw DocumentErrors.linkExpired({ message: reasonOf(look, document, party) });
  return standing;
}

/** Null if the link of the party no longer works. */
function currentStanding(document: Document, party: SignatureParty, now: Date, isSealed: boolean): Standing | null {
  if (party.status === 'signed' && isSealed) return 'executed';
  if (party.revision !== document.revision) return null;
  // a link that is opened proves that its mail was delivered, even if that is not recorded yet
  if (!isBeingSigned(document.state) && document.send_request === null) return null;
  if (party.status === 'signed') return 'signed';
  const isInTime = document.signing_deadline_at === null || now < document.signing_deadline_at;
  return (party.status === 'invited' || party.status === 'viewed') && isInTime ? 'open' : null;
}

/** The state of the document, for a link of an earlier mail or person; null for other links. */
export function stateText({ kind, look: { texts } }: Pick<SigningLink, 'kind' | 'look'>, { state }: Document): string | null {
  if (kind !== 'earlier' && kind !== 'passed_on') return null;
  const { gone } = texts;
  if (isBeingSigned(state)) return gone.states.waiting;
  if (state === 'executed') return gone.states.executed;
  if (state === 'declined') return gone.otherDeclined;
  if (state === 'revoked') return gone.revoked;
  return state === 'superseded' ? gone.superseded : null;
}

function reasonOf({ texts: { gone } }: Look, { state, executed_at, revision }: Document, party: SignatureParty): string {
  if (party.status === 'declined') return gone.declined;
  if (party.revision !== revision || party.status === 'waiting') return gone.reissued;
  if (executed_at !== null) return gone.withoutYou;
  if (state === 'revoked') return gone.revoked;
  if (state === 'declined') return gone.otherDeclined;
  if (state === 'superseded') return gone.superseded;
  if (state === 'expired' || isBeingSigned(state)) return gone.late;
  return gone.other;
}
