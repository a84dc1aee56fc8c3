/** Reports in prose about mails that were not delivered, as mail servers write them. */
import { mailOf, plain } from './sample-mails.js';

/** The mail that a report is about. */
export interface Returned {
  messageId: string;
  to: string;
  /** Its References, which are not what the report is about. */
  references?: string;
}

const headers = ({
  messageId,
  to,
  references = '<older@desk.example>',
}: Returned) => `Received: from desk.example by mx.example; Mon, 23 Nov 2026
From: Help <desk@suite.example>
To: ${to}
Subject: Re: [T-1] Printer
Message-ID: ${messageId}
References: ${references}
Date: Mon, 23 Nov 2026 09:12:00 +0100

Have you tried water?`;

const report = (from: string, subject: string, text: string, more: Record<string, string> = {}) =>
  mailOf({ from, to: 'desk@suite.example', subject, headers: { 'Return-Path': '<>', ...more }, body: plain(text) });

export const qmail = (of: Returned) =>
  report(
    'MAILER-DAEMON@mail.provider.example',
    'failure notice',
    `Hi. This is the qmail-send program at mail.provider.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${of.to}>:
203.0.113.7 does not like recipient.
Remote host said: 550 5.1.1 <${of.to}>: Recipient address rejected: User unknown
Giving up on 203.0.113.7.

--- Below this line is a copy of the message.

Return-Path: <desk@suite.example>
${headers(of)}`,
  );

export const exim = (of: Returned) =>
  report(
    'Mail Delivery System <Mailer-Daemon@smtp.host.example>',
    'Mail delivery failed: returning message to sender',
    `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${of.to}
    host mx.customer.example [203.0.113.9]
    SMTP error from remote mail server after RCPT TO:<${of.to}>:
    550 No such user here

------ This is a copy of the message, including all the headers. ------

Return-path: <desk@suite.example>
${headers(of)}`,
    { 'X-Failed-Recipients': of.to, 'Auto-Submitted': 'auto-replied' },
  );

export const eximDelay = (of: Returned) =>
  report(
    'Mail Delivery System <Mailer-Daemon@smtp.host.example>',
    'Warning: message 1rABCD-0001Ab-2C delayed 24 hours',
    `This message was created automatically by mail delivery software.
A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on smtp.host.example.

The message identifier is:     1rABCD-0001Ab-2C
The subject of the message is: Re: [T-1] Printer

The address to which the message has not yet been delivered is:

  ${of.to}
    Delay reason: SMTP timeout after connect

No action is required on your part. Delivery attempts will continue for
some time.

--- The header of the original message is following. ---

${headers(of)}`,
  );

export const gmx = (of: Returned) =>
  report(
    'GMX Mailer Daemon <mailer-daemon@gmx.example>',
    'Mail delivery failed: returning message to sender',
    `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address
failed:

"${of.to}":
SMTP error from remote server for RCPT TO command, host: mx00.customer.example (203.0.113.4) reason: 550 Requested action not taken: mailbox
unavailable
For explanation visit https://postmaster.gmx.example/error-messages?ip=203.0.113.4&c=hb

--- The header of the original message is following. ---

${headers(of)}`,
  );

export const zoho = (of: Returned) =>
  report(
    '<mailer-daemon@mail.zoho.example>',
    'Undelivered Mail Returned to Sender',
    `This message was created automatically by mail delivery software.
A message that you sent could not be delivered to one or more of its recipients. This is a permanent error.

${of.to}, ERROR CODE :550 - 5.1.1 The email account that you tried to reach does not exist.

${headers(of)}`,
  );

export const mailRu = (of: Returned) =>
  report(
    'Mail.Ru <mailer-daemon@corp.mail.example>',
    '=?utf-8?B?0J/QuNGB0YzQvNC+INC90LUg0LTQvtGB0YLQsNCy0LvQtdC90L4=?=',
    `Это письмо создано автоматически сервером Mail.Ru, отвечать на него не нужно.

К сожалению, Ваше письмо не может быть доставлено одному или нескольким получателям:

**********************

${of.to}:
user not found

**********************

Копия исходного письма:

${headers(of)}`,
  );

/** An old Exchange repeats nothing but the subject. */
export const oldExchange = (of: Returned, number: string) =>
  report(
    'System Administrator <postmaster@customer.example>',
    `Undeliverable: Re: [${number}] Printer`,
    `Your message did not reach some or all of the intended recipients.

      Subject:	Re: [${number}] Printer
      Sent:	23.11.2026 09:12

The following recipient(s) could not be reached:

      ${of.to} on 23.11.2026 09:13
            The e-mail account does not exist at the organization this message was sent to.
            <mail.customer.example #5.1.1>`,
  );

/** The prose of sendmail, which repeats the mail without any part of its own. */
export const sendmail = (of: Returned) =>
  report(
    'Mail Delivery Subsystem <MAILER-DAEMON@relay.desk.example>',
    'Returned mail: see transcript for details',
    `The original message was received at Mon, 23 Nov 2026 09:12:03 +0100
from app.desk.example [203.0.113.20]

   ----- The following addresses had permanent fatal errors -----
<${of.to}>
    (reason: 550 5.1.1 <${of.to}>... User unknown)

   ----- Transcript of session follows -----
... while talking to mx.customer.example.:
>>> DATA
<<< 550 5.1.1 <${of.to}>... User unknown
550 5.1.1 <${of.to}>... User unknown
<<< 503 5.0.0 Need RCPT (recipient)

   ----- Original message follows -----

Return-Path: <desk@suite.example>
${headers(of)}`,
  );

export const sendmailDelay = (of: Returned) =>
  report(
    'Mail Delivery Subsystem <MAILER-DAEMON@relay.desk.example>',
    'Warning: could not send message for past 4 hours',
    `    **********************************************
    **      THIS IS A WARNING MESSAGE ONLY      **
    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **
    **********************************************

The original message was received at Mon, 23 Nov 2026 09:12:03 +0100
from app.desk.example [203.0.113.20]

   ----- Transcript of session follows -----
${of.to}... Deferred: Connection timed out with mx.customer.example.
Warning: message still undelivered after 4 hours
Will keep trying until message is 5 days old

   ----- Original message follows -----

${headers(of)}`,
  );

/** Postfix, after a gateway made one text of its parts. */
export const postfix = (of: Returned) =>
  report(
    'Mail Delivery System <MAILER-DAEMON@mx.desk.example>',
    'Undelivered Mail Returned to Sender',
    `This is the mail system at host mx.desk.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

If you do so, please include this problem report. You can
delete your own text from the attached returned message.

                   The mail system

<${of.to}>: host mx.customer.example[203.0.113.9] said: 552 5.2.2
    <${of.to}>: Mailbox is full (in reply to RCPT TO command)

Return-Path: <desk@suite.example>
${headers(of)}`,
  );

export const exchange = (of: Returned) =>
  report(
    'Microsoft Outlook <postmaster@customer.example>',
    'Undeliverable: Re: [T-1] Printer',
    `Delivery has failed to these recipients or groups:

${of.to}<mailto:${of.to}>
The email address you entered couldn't be found. Please check the recipient's email address and try to resend the message.

The original message was sent on 11/23/2026 9:12:03 AM.

Diagnostic information for administrators:

Generating server: EX1.customer.example

${of.to}
#550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup ##rfc822;${of.to}

Original message headers:

${headers(of)}`,
  );
