import { Injectable } from '@nestjs/common';
import { DAY_MS, Mails, newToken, Settings, type Ctx, type Member, type Tx } from '../../../../kit/index.js';
import { DocumentLooks } from '../../settings/document-looks.service.js';
import { DocumentContacts } from '../authoring/document-contacts.service.js';
import { FollowedMails } from '../deliveries/followed-mails.service.js';
import { ApprovalLink } from './approval-link.entity.js';
import { askMail, decidedForMail, refusedMail, type AskKind, type DecidedFor, type MailSubject, type Refusal } from './approval-mails.js';
import { Submissions } from './submissions.service.js';

/** How long a link to the decision works; afterwards a reminder has a new one. */
const LINK_DAYS = 90;

/** Mails approvers, each with a link of their own. A token appears only in its mail. Earlier links keep working. */
@Injectable()
export class ApprovalMailer {
  constructor(
    private readonly mails: Mails,
    private readonly followed: FollowedMails,
    private readonly looks: DocumentLooks,
    private readonly contacts: DocumentContacts,
    private readonly settings: Settings,
    private readonly submissions: Submissions,
  ) {}

  async ask(ctx: Ctx, tx: Tx, members: readonly Member[], subject: Omit<MailSubject, 'summary'>, kind: AskKind): Promise<void> {
    if (members.length === 0) return;
    const { document } = subject;
    const look = await this.looks.of(ctx, document);
    const summary = await this.submissions.summary(ctx, document, look);
    for (const member of members) {
      const { token, hash } = newToken();
      await tx.advanced.pipelined.insert(ApprovalLink, {
        project_id: document.project_id,
        document_id: document.id,
        member_id: member.id,
        token_hash: hash,
        expires_at: new Date(tx.startedAt.getTime() + LINK_DAYS * DAY_MS),
      });
      const mail = askMail(member, { ...subject, summary }, kind, look, `${this.settings.baseUrl}/a/${token}`);
      await this.followed.send(ctx, tx, document, member, 'decision', mail);
    }
  }

  /** Tells those who submitted the document, except who decided, that it was rejected or returned. */
  async tellRefused(ctx: Ctx, tx: Tx, subject: Pick<MailSubject, 'document' | 'stepName'>, refusal: Refusal): Promise<void> {
    const look = await this.looks.of(ctx, subject.document);
    for (const to of await this.contacts.submitters(ctx, subject.document))
      if (to.id !== refusal.by.id) await this.mails.send(ctx, tx, refusedMail(to, subject, refusal, look));
  }

  /** Tells an approver that someone else decided in their name. */
  async tellDecided(
    ctx: Ctx,
    tx: Tx,
    approver: Member,
    subject: Pick<MailSubject, 'document' | 'stepName'>,
    outcome: DecidedFor,
  ): Promise<void> {
    await this.mails.send(ctx, tx, decidedForMail(approver, subject, outcome, await this.looks.of(ctx, subject.document)));
  }
}
