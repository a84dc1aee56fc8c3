import { describe, expect, test } from '@jest/globals';
import * as reports from '../../testing/report-mails.js';
import { mailOf, multipart, plain } from '../../testing/sample-mails.js';
import { readMail } from './read-mail.js';

const of = { messageId: '<m-1@desk.example>', to: 'ada@customer.example' };

describe('a report in prose', () => {
  test.each([
    ['qmail', reports.qmail(of), '550 5.1.1 <ada@customer.example>: Recipient address rejected: User unknown'],
    ['Exim', reports.exim(of), '550 No such user here'],
    ['GMX', reports.gmx(of), 'reason: 550 Requested action not taken'],
    ['Zoho', reports.zoho(of), 'The email account that you tried to reach does not exist'],
    ['mail.ru', reports.mailRu(of), 'user not found'],
    ['sendmail', reports.sendmail(of), '(reason: 550 5.1.1 <ada@customer.example>... User unknown)'],
    ['Postfix', reports.postfix(of), 'said: 552 5.2.2'],
    ['Exchange', reports.exchange(of), '#550 5.1.10 RESOLVER.ADR.RecipientNotFound'],
  ])('of %s says which mail did not reach whom, and why', async (_name, raw, reason) => {
    const { automatic, bounce } = await readMail(raw);
    expect([automatic, bounce]).toEqual([
      'bounce',
      { messageIds: [of.messageId], ticketNumber: 'T-1', recipients: [of.to], isFinal: true, reason: expect.stringContaining(reason) },
    ]);
  });

  test('that names no mail names its ticket', async () => {
    const { bounce } = await readMail(reports.oldExchange(of, 'T-42'));
    expect(bounce).toMatchObject({ messageIds: [], ticketNumber: 'T-42', recipients: [of.to], isFinal: true });
    expect(bounce?.reason).toContain('does not exist');
  });

  test.each([
    ['Exim', reports.eximDelay(of)],
    ['sendmail', reports.sendmailDelay(of)],
  ])('of %s about a delay is no failure', async (_name, raw) => {
    expect((await readMail(raw)).bounce).toMatchObject({ messageIds: [of.messageId], recipients: [of.to], isFinal: false });
  });
});

test('a report about several recipients counts for those whom the mail did not reach', async () => {
  const status = [
    'Reporting-MTA: dns; mx.example',
    'Final-Recipient: rfc822; late@customer.example\nAction: delayed\nStatus: 4.4.1',
    'Final-Recipient: rfc822; gone@customer.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 Gone',
  ].join('\n\n');
  const raw = mailOf({
    from: 'MAILER-DAEMON@mx.example',
    body: multipart(
      'report; report-type=delivery-status',
      plain('See below.'),
      `Content-Type: message/delivery-status\n\n${status}\n`,
      `Content-Type: text/rfc822-headers\n\nReferences: <older@desk.example>\nMessage-ID: ${of.messageId}\n`,
    ),
  });
  expect((await readMail(raw)).bounce).toEqual({
    messageIds: [of.messageId],
    ticketNumber: null,
    recipients: ['gone@customer.example'],
    isFinal: true,
    reason: '550 5.1.1 Gone',
  });
});

test('a complaint of a mail provider is no failed delivery', async () => {
  const body = multipart(
    'report; report-type=feedback-report',
    plain('An abuse report.'),
    'Content-Type: message/feedback-report\n\nFeedback-Type: abuse\n',
    `Content-Type: message/rfc822\n\nMessage-ID: ${of.messageId}\n\nHello`,
  );
  expect(await readMail(mailOf({ from: 'fbl@provider.example', body }))).toMatchObject({ automatic: 'auto_submitted', bounce: null });
});
