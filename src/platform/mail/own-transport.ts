import type { Transport } from 'nodemailer';
import { MailRefused, type MailTransport } from '../../kit/index.js';
import type { MailRow } from './mail.entity.js';
import type { SmtpError } from './smtp-faults.js';

type MailKeys = Pick<MailRow, 'id' | 'organization_id' | 'recipient' | 'subject'>;

/** The transport of a module as nodemailer's, which makes the message. */
export function ownTransport(own: MailTransport): Transport {
  return {
    name: 'module',
    version: '1',
    send: ({ data, message: built }, done) => {
      const { mail } = data as { mail?: MailKeys };
      if (!mail) return done(new Error('Only mails of the outbox can be sent.'));
      const { id, organization_id: organizationId, recipient, subject } = mail;
      built
        .build()
        .then((message) => own.send({ id, organizationId, sender: String(built.getEnvelope().from), recipient, subject, message }))
        .then(
          () => done(null, { messageId: id, envelope: built.getEnvelope() } as never),
          (error: unknown) => done(faulty(error)),
        );
    },
  };
}

/** As the refusal of a mail server, which is final. */
function faulty(error: unknown): Error {
  if (!(error instanceof MailRefused)) return error instanceof Error ? error : new Error(String(error));
  const refusal: SmtpError = Object.assign(error, { command: 'DATA', responseCode: 550, response: `550 ${error.message}` });
  return refusal;
}
