import { Injectable } from '@nestjs/common';
import { CommonErrors, newToken, Settings, Store, currentTime, DAY_MS, type Ctx, type Page } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { DocumentMoves } from '../moves/document-moves.js';
import { DOCUMENT_STATES, type DocumentState } from '../../model/core/document-states.js';
import { hashPasscode } from './passcode.js';
import { ShareLink } from './share-link.entity.js';
import type { CreateShareLinkDto, ShareLinksQuery } from './share-links.dto.js';

const DEFAULT_DAYS = 7;
const UNSHARED: readonly DocumentState[] = ['rejected', 'revoked', 'superseded'];

/** States in which a document may be read through a link. */
export const SHARED_STATES: readonly DocumentState[] = DOCUMENT_STATES.filter((state) => !UNSHARED.includes(state));

/** Creates, lists and revokes the share links of documents. */
@Injectable()
export class ShareLinks {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly moves: DocumentMoves,
  ) {}

  async create(
    ctx: Ctx,
    documentId: string,
    { expires_days = DEFAULT_DAYS, passcode = null, allow_download = false }: CreateShareLinkDto,
  ): Promise<{ link: ShareLink; url: string }> {
    const passcode_hash = passcode === null ? null : await hashPasscode(passcode);
    const { token, hash } = newToken();
    const link = await this.store.write(ctx, async (tx) => {
      const document = await tx.target(Document, documentId);
      if (!SHARED_STATES.includes(document.state))
        throw DocumentErrors.invalidTransition({
          message: `A document in the state ${document.state} cannot be shared.`,
          allowed: SHARED_STATES,
        });
      const expires_at = new Date(currentTime().getTime() + expires_days * DAY_MS);
      const made = await tx.insert(ShareLink, {
        project_id: document.project_id,
        document_id: document.id,
        token_hash: hash,
        expires_at,
        passcode_hash,
        allow_download,
        created_by: ctx.actor,
      });
      await this.moves.record(ctx, tx, document, 'papers.share', {
        to_state: document.state,
        detail: { share_link_id: made.id, expires_at: expires_at.toISOString(), has_passcode: passcode !== null, allow_download },
      });
      return made;
    });
    return { link, url: `${this.settings.baseUrl}/p/${token}` };
  }

  async page(ctx: Ctx, documentId: string, query: ShareLinksQuery): Promise<Page<ShareLink>> {
    await this.store.get(ctx, Document, documentId);
    return this.store.page(ctx, ShareLink, query, { document_id: documentId });
  }

  async revoke(ctx: Ctx, documentId: string, linkId: string): Promise<void> {
    await this.store.write(ctx, async (tx) => {
      const link = await tx.target(ShareLink, linkId);
      if (link.document_id !== documentId || link.revoked_at !== null) throw CommonErrors.notFound();
      await tx.update(link, { revoked_at: currentTime() });
      const document = await tx.get(Document, documentId);
      await this.moves.record(ctx, tx, document, 'papers.unshare', { to_state: document.state, detail: { share_link_id: linkId } });
    });
  }
}
