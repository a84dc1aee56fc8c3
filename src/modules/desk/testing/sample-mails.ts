/** Mails as the common programs and servers write them, with invented people. Lines end with CRLF. */

export interface Sample {
  from?: string;
  to?: string;
  subject?: string;
  messageId?: string | null;
  /** The mail that it answers. */
  answers?: string;
  /** Further headers, or others in place of the usual ones. */
  headers?: Record<string, string>;
  /** With its own Content-Type header lines. */
  body: string;
}

let count = 0;

const crlf = (text: string) => text.replace(/\r?\n/g, '\r\n');

export function mailOf({ from = 'Ada Lovelace <ada@customer.example>', to, subject, messageId, answers, headers, body }: Sample): Buffer {
  const id = messageId === undefined ? `<sample-${++count}-${process.pid}@customer.example>` : messageId;
  const lines = {
    'Return-Path': from.replace(/^.*<|>.*$/g, '').replace(/^(.*)$/, '<$1>'),
    From: from,
    To: to ?? 'support@desk.example',
    Subject: subject ?? 'Printer on fire',
    Date: 'Mon, 23 Nov 2026 10:00:00 +0100',
    ...(id === null ? {} : { 'Message-ID': id }),
    ...(answers === undefined ? {} : { 'In-Reply-To': answers, References: answers }),
    'MIME-Version': '1.0',
    ...headers,
  };
  const head = Object.entries(lines)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
  return Buffer.from(crlf(head + body), 'utf8');
}

export function plain(text: string): string {
  return `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${text}\n`;
}

export function encoded(charset: string, base64: string): string {
  return `Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: base64\n\n${base64}\n`;
}

export function multipart(kind: string, ...parts: string[]): string {
  const boundary = `=_${kind.replace(/\W/g, '')}_${++count}`;
  const body = parts.map((part) => `--${boundary}\n${part}\n`).join('');
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\n\nThis is a multi-part message.\n${body}--${boundary}--\n`;
}

export function file(name: string, type: string, content: string | Buffer, disposition = 'attachment'): string {
  const base64 = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\n');
  return `Content-Type: ${type}; name="${name}"\nContent-Transfer-Encoding: base64
Content-Disposition: ${disposition}; filename="${name}"\n\n${base64}\n`;
}

const html = (markup: string) => `Content-Type: text/html; charset="utf-8"\n\n${markup}\n`;

/** Outlook on Windows quotes below a rule, without marks, and writes HTML for Word. */
export const outlook = (answers: string, text: string) =>
  mailOf({
    answers,
    subject: 'RE: Printer on fire',
    headers: { 'X-Mailer': 'Microsoft Outlook 16.0', 'Thread-Index': 'AQHZ3a1B2c3d4e5f' },
    body: multipart(
      'alternative',
      plain(`${text}

From: Support <support@desk.example>
Sent: Monday, November 23, 2026 9:12 AM
To: Ada Lovelace <ada@customer.example>
Subject: [T-1] Printer on fire

Have you tried water?`),
      html(`<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} --></style></head>
<body lang="EN-GB"><!--[if gte mso 9]><xml><o:shapedefaults/></xml><![endif]--><div class="WordSection1">
<p class="MsoNormal"><span style="color:#1F497D;mso-fareast-language:EN-US">${text}<o:p></o:p></span></p>
<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:</b> Support</p></div></div></body></html>`),
    ),
  });

export const gmail = (answers: string, text: string) =>
  mailOf({
    answers,
    subject: 'Re: [T-1] Printer on fire',
    body: multipart(
      'alternative',
      plain(`${text}\n\nOn Mon, Nov 23, 2026 at 9:12 AM Support at Demo, a company with a long name
<support@desk.example> wrote:

> Have you tried water?
>
> On Mon, Nov 23, 2026 at 9:00 AM Ada wrote:
>> The printer burns.`),
      html(`<div dir="ltr">${text}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Mon, Nov 23,
Support wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex">Have you tried water?</blockquote></div>`),
    ),
  });

export const appleMail = (answers: string, text: string) =>
  mailOf({
    answers,
    subject: 'Re: Printer on fire',
    headers: { 'X-Mailer': 'Apple Mail (2.3826.700.81)' },
    body: multipart(
      'alternative',
      `Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\nContent-Transfer-Encoding: quoted-printable

${text}=20\n\n> Am 23.11.2026 um 09:12 schrieb Support <support@desk.example>:\n>=20\n> Have you tried water?`,
      multipart(
        'related',
        html(`<html><body style="overflow-wrap: break-word;">${text}<br><img alt="flames.png" src="cid:F1@apple"><div><br>
<blockquote type="cite"><div>Am 23.11.2026 um 09:12 schrieb Support:</div>
<div>Have you tried water?</div></blockquote></div></body></html>`),
        file('flames.png', 'image/png', 'not really a picture', 'inline').replace('\n\n', '\nContent-Id: <F1@apple>\n\n'),
      ),
    ),
  });

/** Thunderbird in German, with the answer between the quoted lines. */
export const thunderbird = (answers: string) =>
  mailOf({
    answers,
    subject: 'Re: Printer on fire',
    headers: { 'User-Agent': 'Mozilla Thunderbird' },
    body: plain(`Am 23.11.26 um 09:12 schrieb Support:
> Have you tried water?

Yes, it got worse.

> Is anybody hurt?

No.

--${' '}
Ada`),
  });

export const phone = (answers: string, text: string) =>
  mailOf({
    answers,
    subject: 'AW: Printer on fire',
    headers: { 'X-Mailer': 'iPhone Mail (23B85)' },
    body: plain(`${text}\n\nVon meinem iPhone gesendet\n
> Am 23.11.2026 um 09:12 schrieb Support <support@desk.example>:\n> \n> ﻿Water?`),
  });

/** A report of Exchange that a mail could not be delivered. */
export const exchangeBounce = (about: string) =>
  mailOf({
    from: 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@customer.example>',
    subject: 'Undeliverable: [T-1] Printer on fire',
    answers: about,
    headers: { 'Return-Path': '<>', 'Auto-Submitted': 'auto-replied', 'X-MS-Exchange-Message-Is-Ndr': '' },
    body: multipart(
      'report; report-type=delivery-status',
      plain('Delivery has failed to these recipients or groups:\n\nada@customer.example'),
      `Content-Type: message/delivery-status\n\nReporting-MTA: dns;mail.customer.example\n
Final-Recipient: rfc822;ada@customer.example\nAction: failed\nStatus: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@customer.example not found`,
      `Content-Type: message/rfc822\n\nFrom: support@desk.example\nMessage-ID: ${about}\nSubject: [T-1] Printer on fire\n\nHello`,
    ),
  });

export const postfixBounce = (about: string, action = 'failed') =>
  mailOf({
    from: 'Mail Delivery System <MAILER-DAEMON@mx.customer.example>',
    subject: 'Undelivered Mail Returned to Sender',
    headers: { 'Return-Path': '<>', 'Auto-Submitted': 'auto-replied' },
    body: multipart(
      'report; report-type=delivery-status',
      plain('This is the mail system at host mx.customer.example.\n\n<ada@customer.example>: host said: 550 5.7.1 no'),
      `Content-Description: Delivery report\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.customer.example\n
Final-Recipient: rfc822; ada@customer.example\nAction: ${action}\nStatus: 5.7.1\nDiagnostic-Code: smtp; 550 5.7.1 Mailbox
    disabled`,
      `Content-Type: text/rfc822-headers\n\nFrom: support@desk.example\nMessage-ID: ${about}`,
    ),
  });

export const outOfOffice = (answers?: string) =>
  mailOf({
    answers,
    subject: 'Automatic reply: [T-1] Printer on fire',
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-MS-Exchange-Inbox-Rules-Loop': 'ada@customer.example',
    },
    body: plain('I am away until Monday.'),
  });

export const calendarReply = () =>
  mailOf({
    subject: 'Accepted: Maintenance @ Tue Nov 24, 2026',
    body: multipart(
      'mixed',
      multipart(
        'alternative',
        plain('Ada has accepted this invitation.'),
        `Content-Type: text/calendar; charset="UTF-8"; method=REPLY\n
BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:1@desk.example\nEND:VEVENT\nEND:VCALENDAR`,
      ),
    ),
  });

export const listMail = () =>
  mailOf({
    from: 'Weekly news <news@lists.example>',
    to: 'readers@lists.example',
    subject: 'Issue 47',
    headers: { 'List-Id': '<weekly.lists.example>', 'List-Unsubscribe': '<https://lists.example/off>', Precedence: 'bulk' },
    body: plain('News of the week.'),
  });

const HOSTILE = `<p onclick="steal()">Hello <b>you</b></p><script>steal()</script>
<img src="https://tracker.example/p.gif" onerror="steal()"><a href="javascript:steal()">click</a>
<a href=" JaVaScRiPt&#58;steal()">click</a> <a href="https://ok.example/">ok</a><style>body{display:none}</style>
<div style="position:fixed;top:0;background:url(https://tracker.example/b.gif);color:red">over</div>
<form action="https://evil.example"><input name=p></form><svg><script>steal()</script></svg>
<math><mtext></p><style><img src=x onerror=steal()></style></mtext></math><iframe src="https://evil.example"></iframe>
<svg></p><style><a id="</style><img src=1 onerror=steal()>"><base href="https://evil.example/">
<meta http-equiv=refresh content="0;url=https://evil.example"><object data="data:text/html,x"></object>
<a href="data:text/html,<script>steal()</script>">data</a><p style="color:expression(steal())" class="modal" id="root">end</p>`;

export const hostile = () =>
  mailOf({
    from: '"Eve\\" <b>" <eve@evil.example>',
    subject: '=?utf-8?B?PHNjcmlwdD4NCkJjYzogYUBiLmM=?=',
    body: multipart(
      'mixed',
      multipart('alternative', plain('Hello you'), html(HOSTILE)),
      file('../../etc/passwd', 'text/html', '<script>steal()</script>'),
      file('picture.svg', 'image/svg+xml', '<svg onload="steal()"/>'),
    ),
  });
