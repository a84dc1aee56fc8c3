import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Mails, Store, type Ctx, type Mail } from '../../src/kit/index.js';
import { MAIL_QUEUE } from '../../src/platform/mail/mail-outbox.js';
import { MailLooks } from '../../src/platform/mail/mail-looks.js';
import { MailServer } from '../../src/platform/mail/mail-server.js';
import { QueueWorker } from '../../src/platform/queue/queue-worker.js';

/** A mail that says one thing, also in a file if there is one. */
export type PlainMail = Omit<Mail, 'content' | 'files'> & { text: string; file?: string };

/** For `TestApp.inside`: writes a mail in a transaction, which is undone if `fail` is set. Returns the mail's id. */
export function sendMail(app: NestFastifyApplication, ctx: Ctx, { text, file, ...mail }: PlainMail, fail = false): Promise<string> {
  return app.get(Store).write(ctx, async (tx) => {
    const content = { parts: [text], reason: 'You receive this mail because it is tested.' };
    const files = file === undefined ? [] : [{ fileName: 'a.txt', mediaType: 'text/plain', bytes: Buffer.from(file) }];
    const id = await app.get(Mails).send(ctx, tx, { ...mail, content, files });
    if (fail) throw new Error('undone');
    return id;
  });
}

/** Ends the pause after a failure of the mail server, as if its time were over. */
export function endPause(app: NestFastifyApplication): void {
  app.get(MailServer)['pausedUntil'] = 0;
  app.get(QueueWorker).notify(MAIL_QUEUE);
}

/** As in a process that has not read the logos yet. */
export function forgetLogos(app: NestFastifyApplication): void {
  app.get(MailLooks)['logos'].clear();
}
