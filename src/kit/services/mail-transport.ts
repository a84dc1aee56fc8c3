/** A mail as a transport gets it. */
export interface OutgoingMail {
  /** The same in each attempt: a service that accepts idempotency keys sends it once. */
  id: string;
  organizationId: string;
  /** The address of the sender, that of MAIL_FROM. */
  sender: string;
  /** Whom it is for. The headers can name others, who get copies of their own. */
  recipient: string;
  subject: string;
  /** The complete message with its headers, as RFC 5322 has it. */
  message: Buffer;
}

/**
 * Sends the mails of the suite in place of SMTP, for example by the API of a mail service. A module names its provider as `mailTransport`
 * in its manifest:
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { MailRefused, MailTransport, type OutgoingMail } from 'work-suite/kit';
 *
 * @Injectable()
 * export class PostboxTransport extends MailTransport {
 *   async send({ id, recipient, message }: OutgoingMail): Promise<void> {
 *     const headers = { 'content-type': 'message/rfc822', 'idempotency-key': id };
 *     const target = `https://postbox.example/send?to=${encodeURIComponent(recipient)}`;
 *     const response = await fetch(target, { method: 'POST', headers, body: new Uint8Array(message) });
 *     if (response.status === 422) throw new MailRefused(await response.text());
 *     if (!response.ok) throw new Error(`Postbox answered ${response.status}`);
 *   }
 * }
 * ```
 */
export abstract class MailTransport {
  /**
   * Resolves once the service has accepted the mail. `MailRefused` is final; after any other error the mail is tried again, with growing
   * pauses, for days. A mail can be sent twice if this process ends before the result is stored.
   */
  abstract send(mail: OutgoingMail): Promise<void>;
}

/**
 * The service never accepts this mail: the address does not exist, or the message is not allowed. People see the reason.
 *
 * @example
 * ```ts
 * import { MailRefused } from 'work-suite/kit';
 *
 * throw new MailRefused('The provider knows no such recipient.');
 * ```
 */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
