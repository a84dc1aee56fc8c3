import { Injectable } from '@nestjs/common';
import { Contexts, Settings, sql, Store, table, type Ctx, type TokenRow, type Visitor, currentTime } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';
import { DocumentLooks, type Look } from '../../settings/document-looks.service.js';
import { DocumentMoves } from '../moves/document-moves.js';
import { tryPasscode, type PasscodeVerdict } from './passcode.js';
import { ShareLink } from './share-link.entity.js';
import { SHARED_STATES } from './share-links.service.js';

const PASS_MINUTES = 30;

/** The document of a share link, in the context of its guest. */
export interface SharedDocument {
  ctx: Ctx;
  token: string;
  link: ShareLink;
  document: Document;
  look: Look;
}

/** Documents as seen by visitors with a share link. */
@Injectable()
export class SharedDocuments {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly settings: Settings,
    private readonly moves: DocumentMoves,
    private readonly looks: DocumentLooks,
  ) {}

  async find(token: string): Promise<SharedDocument> {
    const unknown = 'This link is unknown.';
    const { ctx, row } = await this.contexts.byToken<LinkRow>(token, byHash, { unknown });
    const [link, document] = [await this.store.get(ctx, ShareLink, row.id), await this.store.get(ctx, Document, row.document_id)];
    return { ctx, token, link, document, look: await this.looks.of(ctx, document) };
  }

  /**
   * Why nobody can read the document by this link; null if visitors can. What became of a document, and its title, is only for those
   * who could read it: `isOpen`.
   */
  closure({ link, document: { state, title }, look }: SharedDocument, isOpen: boolean): { reason: string; title: string | null } | null {
    const { gone, share } = look.texts;
    if (link.revoked_at !== null) return { reason: share.gone.revoked(look.organization), title: null };
    if (link.expires_at <= currentTime()) return { reason: share.gone.expired(look.organization), title: null };
    if (SHARED_STATES.includes(state)) return null;
    if (!isOpen) return { reason: share.gone.closed, title: null };
    if (state === 'rejected') return { reason: share.gone.rejected, title };
    return { reason: state === 'superseded' ? gone.superseded : gone.revoked, title };
  }

  /** Those who sign the document, in the signing order; none before it was sent. */
  async parties({ ctx, document: { id, revision } }: SharedDocument): Promise<SignatureParty[]> {
    const parties = await this.store.list(ctx, SignatureParty, { document_id: id, revision });
    return parties.sort((one, other) => one.turn - other.turn);
  }

  /** Records in the audit trail that the document was opened or downloaded. */
  async note(
    { ctx, link, document }: SharedDocument,
    action: 'papers.share_opened' | 'papers.share_downloaded',
    { address, userAgent }: Visitor,
  ): Promise<void> {
    await this.store.write(ctx, (tx) =>
      this.moves.record(ctx, tx, document, action, {
        to_state: document.state,
        detail: { share_link_id: link.id, address, user_agent: userAgent },
      }),
    );
  }

  /** Checks a passcode and counts failures. */
  enter({ ctx, link }: SharedDocument, passcode: string): Promise<PasscodeVerdict> {
    return this.store.write(ctx, async (tx) => {
      const locked = await tx.lock(ShareLink, link.id);
      const { passcode_hash } = locked;
      if (passcode_hash === null) return { kind: 'right' };
      const { verdict, changes } = await tryPasscode({ ...locked, passcode_hash }, passcode, currentTime());
      await tx.update(locked, changes);
      return verdict;
    });
  }

  /** Creates a temporary proof, for a cookie, that the visitor entered the passcode of this link. */
  pass({ link }: SharedDocument): { value: string; seconds: number } {
    const seconds = PASS_MINUTES * 60;
    return {
      value: this.settings.encrypt(JSON.stringify({ share_link_id: link.id, until: currentTime().getTime() + seconds * 1000 })),
      seconds,
    };
  }

  /** Whether the visitor may read: the link has no passcode, or the visitor entered it recently. */
  isOpen({ link }: SharedDocument, pass: string | null): boolean {
    if (link.passcode_hash === null) return true;
    const { share_link_id, until } = this.read(pass);
    return share_link_id === link.id && typeof until === 'number' && until > currentTime().getTime();
  }

  private read(pass: string | null): { share_link_id?: unknown; until?: unknown } {
    if (pass === null) return {};
    try {
      return JSON.parse(this.settings.decrypt(pass)) as object;
    } catch {
      return {}; // forged, or encrypted with another key
    }
  }
}

interface LinkRow extends TokenRow {
  document_id: string;
}

const byHash = (hash: string) => sql.unscoped('the share link that a token names')`
  SELECT l.id, l.organization_id, l.project_id, l.mode, NULL AS email, l.document_id FROM ${table(ShareLink)} l
  WHERE l.token_hash = ${hash}`;
