import { Contexts, Job, Store, sql, type Ctx, type JobHandler, type JobRun } from '../../../kit/index.js';
import { readMail } from '../mail/inbound/read-mail.js';
import { MailFiling } from './mail-filing.service.js';

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
  ) {}

  async run(ctx: Ctx, { mail_id }: { mail_id: string }, { attempt }: Pick<JobRun, 'attempt'>): Promise<void> {
    const [stored] = await this.store.reader(ctx).query<{ content: Buffer; project_id: string }>(
      sql.legacy(
        `SELECT content, project_id FROM desk_inbound_mails
       WHERE id = $1 AND organization_id = $2 AND mode = $3 AND status = 'received' AND content IS NOT NULL`,
        [mail_id, ctx.organizationId, ctx.mode],
      ),
    );
    if (!stored) return;
    const mail = await readMail(stored.content);
    const tenant = { organizationId: ctx.organizationId, projectId: stored.project_id, mode: ctx.mode };
    try {
      await this.filing.file(this.contexts.guest(tenant, mail.from?.email ?? null), mail_id, mail);
    } catch (error) {
      if (attempt >= ATTEMPTS) await this.filing.giveUp(ctx, mail_id, mail, error as Error);
      throw error;
    }
  }
}
