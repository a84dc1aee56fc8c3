import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Mails, Store, type Ctx, type Mail } from '../../src/kit/index.js';

/** For `TestApp.inside`: writes a mail in a transaction, which is undone if `fail` is set. Returns the mail's id. */
export function sendMail(app: NestFastifyApplication, ctx: Ctx, mail: Mail, fail = false): Promise<string> {
  return app.get(Store).write(ctx, async (tx) => {
    const id = await app.get(Mails).send(ctx, tx, mail);
    if (fail) throw new Error('undone');
    return id;
  });
}
