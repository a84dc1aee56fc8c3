import {
  Contexts,
  Mails,
  Maintenance,
  Store,
  Sweep,
  type Ctx,
  type MailStatus,
  type Mode,
  type SweepHandler,
  type Tx,
} from '../../../../kit/index.js';
import { DocumentComments } from '../../authoring/document-comments.service.js';
import { DocumentContacts } from '../../authoring/document-contacts.service.js';
import { Document } from '../../model/records/document.entity.js';
import { subjectOf } from './invitations.service.js';
import { isBeingSigned } from '../../model/core/document-states.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';
import { undeliveredMail } from './signing-mails.js';

interface Settled {
  id: string;
  organization_id: string;
  project_id: string;
  mode: Mode;
  document_id: string;
  mail_id: string;
  status: MailStatus;
  error: string | null;
}

const BATCH = 100;
const SETTLED = `
  SELECT p.id, p.organization_id, p.project_id, p.mode, p.document_id, p.mail_id, m.status, m.error
  FROM signature_parties p JOIN mails m ON m.organization_id = p.organization_id AND m.id = p.mail_id
  WHERE p.invitation = 'sending' AND m.status <> 'queued' AND p.id <> ALL($1::uuid[]) ORDER BY p.id LIMIT ${BATCH}`;

/** Takes down what became of the mails by which parties are asked to sign, and tells who sent the document of one that was refused. */
@Sweep({ name: 'documents.invitations', everySeconds: 5 })
export class FollowInvitations implements SweepHandler {
  constructor(
    private readonly maintenance: Maintenance,
    private readonly contexts: Contexts,
    private readonly store: Store,
    private readonly mails: Mails,
    private readonly comments: DocumentComments,
    private readonly contacts: DocumentContacts,
  ) {}

  async run(_now: Date, signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    const seen: string[] = [];
    for (let found = await this.settled(seen); found.length > 0; found = await this.settled(seen)) {
      for (const one of found) {
        signal.throwIfAborted();
        seen.push(one.id);
        const ctx = this.contexts.system({ organizationId: one.organization_id, projectId: one.project_id, mode: one.mode });
        await this.follow(ctx, one).catch((error: unknown) => failures.push(error));
      }
    }
    // one that cannot be followed holds up no other
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} invitations could not be followed.`);
  }

  private settled(seen: readonly string[]): Promise<Settled[]> {
    return this.maintenance.query<Settled>(SETTLED, [seen]);
  }

  private follow(ctx: Ctx, { id, document_id, mail_id, status, error }: Settled): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, document_id);
      const party = await tx.get(SignatureParty, id);
      // a reminder may have gone out since, by another mail
      if (party.mail_id !== mail_id || party.invitation !== 'sending') return;
      const followed = await tx.update(party, { invitation: status === 'failed' ? 'failed' : 'accepted' });
      if (party.status !== 'invited') return;
      const shown = await tx.touch(document);
      if (status === 'failed' && isBeingSigned(document.state)) await this.tell(ctx, tx, shown, followed, error ?? 'It gave no reason.');
    });
  }

  private async tell(ctx: Ctx, tx: Tx, document: Document, party: SignatureParty, error: string): Promise<void> {
    await this.comments.add(
      ctx,
      tx,
      document,
      'system',
      `${party.name} (${party.label}) could not be asked to sign: the mail to ${party.email} was refused. ${error}`,
    );
    const subject = await subjectOf(ctx, tx, document);
    for (const to of await this.contacts.senders(ctx, tx, document))
      await this.mails.send(ctx, tx, undeliveredMail(to, party, subject, error));
  }
}
