import { Contexts, Files, Job, own, sql, Store, table, type Ctx, type FileOf, type JobHandler, type JobRun } from '../../../kit/index.js';
import { readMail } from '../mail/inbound/read-mail.js';
import { MailFiling } from './mail-filing.service.js';
import { InboundMailRow } from '../model/mails.entity.js';

const ATTEMPTS = 8;

/** Parses a stored mail and creates a ticket or a message from it, on behalf of its sender. */
@Job({
  name: 'desk.read_mail',
  attempts: ATTEMPTS,
})
export class ReadMail implements JobHandler<{ mail_id: string }> {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly filing: MailFiling,
    private readonly files: Files,
  ) {}

  async run(ctx: Ctx, { mail_id }: { mail_id: string }, { attempt }: Pick<JobRun, 'attempt'>): Promise<void> {
    const [stored] = await this.store.reader(ctx).sql<FileOf<'content'> & { project_id: string }>(
      sql`SELECT i.content, i.content_object_id, i.project_id FROM ${table(InboundMailRow)} i
        WHERE ${own('i')} AND i.id = ${mail_id} AND i.status = 'received'
          AND (i.content IS NOT NULL OR i.content_object_id IS NOT NULL)`,
    );
    if (!stored) return;
    const mail = await readMail(await this.files.read(ctx, stored, 'content'));
    const tenant = { organizationId: ctx.organizationId, projectId: stored.project_id, mode: ctx.mode };
    try {
      await this.filing.file(this.contexts.guest(tenant, mail.from?.email ?? null), mail_id, mail);
    } catch (error) {
      if (attempt >= ATTEMPTS) await this.filing.giveUp(ctx, mail_id, mail, error as Error);
      throw error;
    }
  }
}
