import { Injectable } from '@nestjs/common';
import {
  DAY_MS,
  Files,
  Mails,
  newToken,
  objectSize,
  own,
  Settings,
  sql,
  table,
  type Ctx,
  type MailedFile,
  type Tx,
} from '../../../../../kit/index.js';
import { isBeingSigned, type Trigger } from '../../../model/core/document-states.js';
import { AuditEntry } from '../../../model/records/audit-entry.entity.js';
import { DocumentCopy } from '../../../model/records/document-copy.entity.js';
import type { Document } from '../../../model/records/document.entity.js';
import { Rendition } from '../../../model/records/rendition.entity.js';
import { SignatureParty, signersOf } from '../../../model/records/signature-party.entity.js';
import { DocumentLooks } from '../../../settings/document-looks.service.js';
import { DocumentContacts } from '../../authoring/document-contacts.service.js';
import { fileNameOf } from '../../content/file-names.js';
import type { MoveHook } from '../../moves/move-hook.js';
import { ShareLink } from '../../sharing/share-link.entity.js';
import type { MailSubject, Person } from '../../deliveries/document-mails.js';
import { FollowedMails } from '../../deliveries/followed-mails.service.js';
import { copyMail, declinedMail, executedMail, expiredMail, type Concern } from './copy-mails.js';
import { CopySettings } from './copy-settings.js';

const LINK_DAYS = 365;
const MIB = 1024 * 1024;

/**
 * Mails the signed file to everyone concerned, each address once, and copies to those who do not sign. Their links are share links;
 * they end when the document is reopened.
 */
@Injectable()
export class Copies implements MoveHook {
  constructor(
    private readonly mails: Mails,
    private readonly files: Files,
    private readonly followed: FollowedMails,
    private readonly looks: DocumentLooks,
    private readonly contacts: DocumentContacts,
    private readonly settings: Settings,
    private readonly copySettings: CopySettings,
  ) {}

  async afterMove(ctx: Ctx, tx: Tx, document: Document, trigger: Trigger | 'override'): Promise<void> {
    if (trigger === 'send') await this.begin(ctx, tx, document);
    else if (trigger === 'sign' && document.state === 'executed') await this.sendExecuted(ctx, tx, document);
    else if (trigger === 'decline') await this.tellDeclined(ctx, tx, document);
    else if (trigger === 'expire' && document.executed_at === null) await this.tellExpired(ctx, tx, document);
    else if (trigger === 'reopen' || trigger === 'override') await this.end(tx, document);
  }

  private async begin(ctx: Ctx, tx: Tx, document: Document): Promise<void> {
    const { id, project_id, revision } = document;
    const cc = document.sending?.cc ?? [];
    if (cc.length === 0) return;
    const subject = await this.subjectOf(ctx, document);
    for (const { name, email, when } of cc) {
      const sent_at = when === 'sent' ? tx.startedAt : null;
      const copy = await tx.insert(DocumentCopy, { project_id, document_id: id, revision, name, email, copy_when: when, sent_at });
      if (when === 'sent')
        await this.followed.send(ctx, tx, document, copy, 'copy', copyMail(copy, subject, await this.link(ctx, tx, document, copy)));
    }
  }

  private async sendExecuted(ctx: Ctx, tx: Tx, document: Document): Promise<void> {
    const { id, revision } = document;
    const subject = await this.subjectOf(ctx, document);
    const { attached, isOne } = await this.filesOf(ctx, tx, document);
    // several files are offered on the page
    const path = isOne ? '/pdf' : '';
    const files = (link: string) => ({ link: `${link}${path}`, attached, isOne });
    const told = new Set<string>();
    const isNew = ({ email }: Person) => !told.has(email.toLowerCase()) && told.add(email.toLowerCase());
    for (const party of await tx.list(SignatureParty, { document_id: id, revision, status: 'signed' })) {
      told.add(party.email.toLowerCase());
      const { token, hash } = newToken();
      await this.followed.send(
        ctx,
        tx,
        document,
        party,
        'executed',
        executedMail(party, 'signer', subject, files(`${this.settings.baseUrl}/s/${token}`)),
      );
      await tx.update(party, { copy_token_hash: hash });
    }
    for (const copy of await tx.list(DocumentCopy, { document_id: id, revision })) {
      await tx.update(copy, { completed_at: tx.startedAt });
      if (!isNew(copy)) continue;
      const link = await this.link(ctx, tx, document, copy);
      await this.followed.send(ctx, tx, document, copy, 'executed', executedMail(copy, 'copied', subject, files(link)));
    }
    for (const sender of await this.contacts.senders(ctx, tx, document)) {
      // a member, who opens it in the console
      if (isNew(sender)) await this.mails.send(ctx, tx, executedMail(sender, 'sender', subject, { link: null, attached, isOne }));
    }
  }

  /** None are attached if they are too large for mails, or erased. */
  private async filesOf(ctx: Ctx, tx: Tx, document: Document): Promise<{ attached: MailedFile[]; isOne: boolean }> {
    const { id, revision, title } = document;
    const files = await tx.list(Rendition, { document_id: id, revision, kind: ['executed', 'certificate'] });
    const [{ bytes }] = await tx.sql<{ bytes: number }>(sql`
      SELECT coalesce(sum(coalesce(length(r.pdf), ${objectSize('r', 'pdf_object_id')})), 0)::integer AS bytes FROM ${table(Rendition)} r
      WHERE ${own('r')} AND r.document_id = ${id} AND r.revision = ${revision} AND r.kind IN ('executed', 'certificate')`);
    if (bytes === 0 || bytes > this.copySettings.mostMib * MIB) return { attached: [], isOne: files.length <= 1 };
    files.sort((one, other) => one.position - other.position);
    const attached: MailedFile[] = [];
    // this transaction has stored them, so they are in the database
    for (const file of files)
      attached.push({
        fileName: fileNameOf(document, { position: file.position, name: file.name ?? title }),
        mediaType: 'application/pdf',
        bytes: await this.files.read(ctx, file, 'pdf'),
      });
    return { attached, isOne: files.length <= 1 };
  }

  private async tellDeclined(ctx: Ctx, tx: Tx, document: Document): Promise<void> {
    const [party] = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision, status: 'declined' });
    // no route declines without a party
    if (!party) return;
    const subject = await this.subjectOf(ctx, document);
    for (const { as, ...to } of await this.concerned(ctx, tx, document))
      if (to.email.toLowerCase() !== party.email.toLowerCase()) await this.mails.send(ctx, tx, declinedMail(to, as, party, subject));
  }

  private async tellExpired(ctx: Ctx, tx: Tx, document: Document): Promise<void> {
    const parties = await tx.list(SignatureParty, { document_id: document.id, revision: document.revision });
    const unsigned = parties.filter(({ status, required }) => status !== 'signed' && required);
    const subject = await this.subjectOf(ctx, document);
    for (const { as, ...to } of await this.concerned(ctx, tx, document))
      await this.mails.send(ctx, tx, expiredMail(to, as, unsigned, subject));
  }

  /** Everyone who hears that a document ended without all signatures; of several roles of an address the last in this order. */
  private async concerned(ctx: Ctx, tx: Tx, document: Document): Promise<Concerned[]> {
    const { id, revision } = document;
    const parties = await tx.list(SignatureParty, { document_id: id, revision });
    // those whose turn has not come have no mail
    const asked = parties.filter(({ status, mail_id }) => status === 'cancelled' && mail_id !== null);
    const people: Concerned[] = [
      ...(await this.contacts.copied(tx, document)),
      ...asked.map((one) => ({ ...one, as: 'asked' as const })),
      ...signersOf(parties).map((one) => ({ ...one, as: 'signed' as const })),
      ...(await this.contacts.senders(ctx, tx, document)).map((one) => ({ ...one, as: 'sender' as const })),
    ];
    return [...new Map(people.map(({ name, email, as }) => [email.toLowerCase(), { name, email, as }])).values()];
  }

  /** A later revision is not for those who got a copy of this one. */
  private async end(tx: Tx, document: Document): Promise<void> {
    if (isBeingSigned(document.state)) return;
    const copies = (await tx.list(DocumentCopy, { document_id: document.id })).map(({ id }) => id);
    if (copies.length === 0) return;
    const links = await tx.list(ShareLink, { document_id: document.id, copy_id: copies });
    for (const link of links) if (link.revoked_at === null) await tx.update(link, { revoked_at: tx.startedAt });
  }

  /** The address of a new link to the document for a person who gets a copy, which only its mail has. */
  private async link(ctx: Ctx, tx: Tx, document: Document, copy: DocumentCopy): Promise<string> {
    const { token, hash } = newToken();
    const { project_id, id: document_id, state } = document;
    const link = await tx.insert(ShareLink, {
      project_id,
      document_id,
      token_hash: hash,
      expires_at: new Date(tx.startedAt.getTime() + LINK_DAYS * DAY_MS),
      passcode_hash: null,
      allow_download: true,
      created_by: ctx.actor,
      copy_id: copy.id,
    });
    await tx.insert(AuditEntry, {
      project_id,
      document_id,
      action: 'papers.copy',
      actor: ctx.actor,
      from_state: state,
      to_state: state,
      detail: { share_link_id: link.id, email: copy.email },
    });
    return `${this.settings.baseUrl}/p/${token}`;
  }

  private async subjectOf(ctx: Ctx, document: Document): Promise<MailSubject> {
    return { document, look: await this.looks.of(ctx, document) };
  }
}

interface Concerned extends Person {
  as: Concern;
}
