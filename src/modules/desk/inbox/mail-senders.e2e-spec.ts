import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { EXT_DESK, makeTicket, type TicketBody } from '../testing/desk-fixture.js';
import { DeskInbox, type InboundRow } from '../testing/desk-inbox.js';
import { ownApp } from '../../../../test/harness/hosted-app.js';
import { Mailbox } from '../../../../test/harness/mailbox.js';
import { file, mailOf, multipart, plain } from '../testing/sample-mails.js';

const ADDRESS = 'support@desk.example';

const smtp = await Mailbox.start();
const app = await ownApp({ env: { ...smtp.env, MAIL_FROM: 'Desk <desk@suite.example>' } });
const space = await app.workspace();
const { client } = await space.key({ module: 'desk', scopes: ['desk:ticket:read', 'desk:ticket:write', 'desk:message:write'] });
let owner: Client;
let inbox: DeskInbox;
let token: string;
let salesToken: string;

beforeAll(async () => {
  owner = await space.signIn();
  inbox = new DeskInbox(app, space, owner);
  const trusted_domains = ['groups.example'];
  token = (await inbox.open({ address: ADDRESS, trusted_domains, authentication_server: 'mx.desk.example' })).token;
  salesToken = (await inbox.open({ address: 'sales@desk.example' })).token;
});
afterAll(() => smtp.stop());

const receive = (raw: Buffer, to = token): Promise<InboundRow> => inbox.receive(raw, to);
const ticketOf = async (id: string | null) => (await client.get(`${EXT_DESK}/tickets/${id}`)).body as TicketBody;
const messagesOf = async (id: string | null) => (await client.get(`${EXT_DESK}/tickets/${id}/messages?limit=100`)).body.data;
const sentTo = (address: string) => smtp.received.filter(({ to }) => to === address);

/** A ticket of a new person that was answered, and the Message-ID of the answer. */
async function answered(person: string, values: object = {}): Promise<{ ticket: TicketBody; email: string; answerId: string }> {
  const email = `${person}@customer.example`;
  const ticket = await makeTicket(client, space.ops.id, { requester: { email }, ...values });
  await client.post(`${EXT_DESK}/tickets/${ticket.id}/replies`, { body: 'Have you tried water?' });
  const { source } = await smtp.newest(email, `Re: [${ticket.number}]`);
  return { ticket, email, answerId: /^Message-ID: (\S+)/im.exec(source)?.[1] as string };
}

/** Google Groups replaces the sender if the domain of the sender forbids forwarding. */
const googleGroup = (person: string, values: Partial<Parameters<typeof mailOf>[0]> = {}) =>
  mailOf({
    from: `"'${person}' via Support" <${ADDRESS}>`,
    body: plain('It burns.'),
    ...values,
    headers: {
      Precedence: 'list',
      'Mailing-list': `list ${ADDRESS}; contact support+owners@desk.example`,
      'List-ID': '<support.desk.example>',
      'List-Post': `<mailto:${ADDRESS}>`,
      'X-Original-Sender': `${person}@customer.example`,
      'Reply-To': `${person} <${person}@customer.example>`,
      ...values.headers,
    },
  });

describe('mails of groups and lists', () => {
  test('of a group with the address of the mailbox are those of who wrote them, and get a number', async () => {
    const { ticket_id } = await receive(googleGroup('greta'));
    const ticket = await ticketOf(ticket_id);
    expect(ticket).toMatchObject({ requester: { email: 'greta@customer.example', name: 'greta' }, cc_emails: [] });
    await smtp.newest('greta@customer.example', `[${ticket.number}] We have received`);
  });

  test('answers through the group belong to their tickets', async () => {
    const { ticket, email, answerId } = await answered('gustav');
    expect((await receive(googleGroup('gustav', { answers: answerId }))).ticket_id).toBe(ticket.id);
    expect((await receive(googleGroup('gustav', { subject: `Re: [${ticket.number}] hello` }))).ticket_id).toBe(ticket.id);
    expect((await messagesOf(ticket.id)).slice(2).map(({ author }: { author: object }) => author)).toEqual([
      { type: 'requester', email, name: 'gustav' },
      { type: 'requester', email, name: 'gustav' },
    ]);
  });

  test('of Mailman, which names who wrote in Reply-To', async () => {
    const { ticket_id } = await receive(
      mailOf({
        from: '"Mia Moll via Helpers" <helpers@lists.example>',
        to: 'helpers@lists.example',
        headers: {
          Cc: ADDRESS,
          'Reply-To': 'Mia Moll <mia@customer.example>, helpers@lists.example',
          'List-Id': 'Helpers <helpers.lists.example>',
          'List-Post': '<mailto:helpers@lists.example>',
        },
        body: plain('Hello'),
      }),
    );
    expect(await ticketOf(ticket_id)).toMatchObject({ requester: { email: 'mia@customer.example', name: 'Mia Moll' }, cc_emails: [] });
  });

  test('that were not sent to the mailbox are filed, unless their list is trusted', async () => {
    const news = (list: string, headers = {}) =>
      mailOf({ from: 'Ed <ed@press.example>', to: `all@${list}`, headers: { 'List-Id': `<all.${list}>`, ...headers }, body: plain('x') });
    expect(await receive(news('lists.example'))).toMatchObject({ status: 'filed', reason: 'list' });
    expect((await receive(news('groups.example'))).status).toBe('processed');
    expect((await receive(news('lists.example', { 'Delivered-To': ADDRESS }))).status).toBe('processed');
    expect(sentTo('ed@press.example')).toEqual([]);
  });
});

describe('mails of forms', () => {
  test.each([
    ['wordpress@desk.example', 'frida'],
    [ADDRESS, 'fritz'],
    ['kontakt@www.desk.example', 'franz'],
    ['noreply@forms.provider.example', 'fanny'],
  ])('from %s are those of their visitor', async (from, person) => {
    const email = `${person}@customer.example`;
    const { ticket_id } = await receive(mailOf({ from, headers: { 'Reply-To': `${person} <${email}>` }, body: plain('Hello') }));
    expect((await ticketOf(ticket_id)).requester).toMatchObject({ email, name: person });
  });

  const PHPMAILER = { 'X-Mailer': 'PHPMailer 6.9.1 (https://github.com/PHPMailer/PHPMailer)' };
  test.each<[string, string, Record<string, string>?]>([
    ['a German website', 'Kontaktformular Hotel Post <info@hotel.example>'],
    ['an English website', '"Website Contact Form" <hello@shop.example>'],
    ['a French website', 'Formulaire de contact <bonjour@boutique.example>'],
    ['Typeform', '"Flora via Typeform" <followups@followups.typeform.com>'],
    ['Jotform', 'Jotform <formular@jotform.com>'],
    ['Google Forms', 'Google Forms <forms-receipts-noreply@google.com>'],
    ['HubSpot', 'Acme <notify@notifications.hubspot.com>'],
    ['PHPMailer', 'Hotel Post <info@hotel.example>', PHPMAILER],
    ['a website', '"Website" <hello@hotel.example>'],
    ['a page', 'Contact Us <hello@hotel.example>'],
    ['FluentSMTP', 'Hotel Post <info@hotel.example>', { 'X-Mailer': 'FluentSMTP' }],
    ['Zend', 'Hotel Post <info@hotel.example>', { 'X-Mailer': 'Zend_Mail 1.12' }],
    ['Web3Forms', 'Acme <notify+shop@web3forms.com>'],
    ['mail() of PHP', 'info@hotel.example', { 'X-PHP-Originating-Script': '1001:kontakt.php' }],
    ['an old PHP script', 'info@hotel.example', { 'X-Mailer': 'PHP/7.4.33', 'X-PHP-Script': 'hotel.example/send.php for 203.0.113.7' }],
    ["PHPMailer with a member's address", 'Olive Owner <MEMBER>', PHPMAILER],
  ])('of %s are those of their visitor, whatever their address', async (name, from, headers = {}) => {
    const email = `visitor-${name.replace(/\W/g, '').toLowerCase()}@customer.example`;
    const raw = mailOf({
      from: from.replace('MEMBER', space.owner.email),
      headers: { ...headers, 'Reply-To': `Flora <${email}>` },
      body: plain('Hello'),
    });
    expect((await ticketOf((await receive(raw)).ticket_id)).requester).toMatchObject({ email, name: 'Flora' });
  });

  test.each<[string, Record<string, string>]>([
    ['Outlook', { 'X-Mailer': 'Microsoft Outlook 16.0' }],
    ['Thunderbird', { 'User-Agent': 'Mozilla Thunderbird' }],
    ['Roundcube, a script itself', { 'User-Agent': 'Roundcube Webmail/1.6.5', 'X-PHP-Originating-Script': '0:rcube.php' }],
    ['Roundcube without its name', { 'X-PHP-Originating-Script': '0:rcube.php' }],
    ['RainLoop', { 'X-Mailer': 'RainLoop/1.17.0', 'X-PHP-Script': 'mail.example/index.php for 203.0.113.7' }],
    ['several answers', { ...PHPMAILER, 'Reply-To': 'one@private.example, two@private.example' }],
  ])('are not those of a person who writes by %s', async (_name, headers) => {
    const raw = mailOf({
      from: 'Form Meister <formm@customer.example>',
      headers: { 'Reply-To': 'else@private.example', ...headers },
      body: plain('x'),
    });
    expect((await ticketOf((await receive(raw)).ticket_id)).requester.email).toBe('formm@customer.example');
  });

  test.each<[string, Record<string, string>?]>([
    ['Kim <kim@hubspot.com>'],
    ['Anna <anna@involve.me>'],
    ['Support Forms Ltd. <kim@forms.example>'],
    ['"Feedback Forms Team Lead Kim" <kim@forms.example>'],
    ['"Kim, Contact Form Team" <kim@forms.example>'],
    ['Kim from Typeform <kim@forms.example>'],
    ['Kim <kim@zendesk.example>', { 'X-Mailer': 'Zendesk Mailer' }],
  ])('are not those of %s, who works for a company that makes them', async (from, headers = {}) => {
    const raw = mailOf({ from, headers: { 'Reply-To': 'else@private.example', ...headers }, body: plain('x') });
    expect((await ticketOf((await receive(raw)).ticket_id)).requester.email).toBe((/<(.*)>/.exec(from) as RegExpExecArray)[1]);
  });

  test('prove nothing: what a visitor enters makes nobody a participant', async () => {
    const { ticket, email } = await answered('fred');
    const headers = { 'Reply-To': email, 'X-Original-Sender': email };
    for (const from of ['wordpress@desk.example', 'noreply@evil.example', '"Fred via Evil" <eve@evil.example>']) {
      const subject = `Re: [${ticket.number}] hello`;
      const { ticket_id } = await receive(
        mailOf({ from, subject, headers: from.includes('via') ? headers : { 'Reply-To': email }, body: plain('Pay here') }),
      );
      expect(ticket_id).not.toBe(ticket.id);
    }
    const byScript = mailOf({
      from: 'eve@evil.example',
      subject: `Re: [${ticket.number}] hello`,
      headers: { ...PHPMAILER, 'Reply-To': email },
      body: plain('Pay here'),
    });
    expect((await receive(byScript)).ticket_id).not.toBe(ticket.id);
  });

  test('of a person are of that person, whatever their Reply-To says', async () => {
    for (const [from, to] of [
      ['paul@customer.example', 'paul.home@private.example'],
      [space.owner.email, 'owner.home@private.example'],
    ]) {
      const { ticket_id } = await receive(mailOf({ from, headers: { 'Reply-To': to }, body: plain('x') }));
      expect((await ticketOf(ticket_id)).requester.email).toBe(from.toLowerCase());
    }
  });
});

describe('recipients', () => {
  test('beside the mailbox are copied people, in To as in Cc', async () => {
    const to = `Help <${ADDRESS}>, Tom <tom@customer.example>, sales@desk.example, ada@customer.example`;
    const { ticket_id } = await receive(mailOf({ to, headers: { Cc: 'Cleo <cleo@customer.example>' }, body: plain('x') }));
    expect((await ticketOf(ticket_id)).cc_emails).toEqual(['tom@customer.example', 'cleo@customer.example']);
  });

  test('of a mail that came by an alias are not: it would bring the answers back', async () => {
    const { ticket_id } = await receive(mailOf({ to: 'info@alias.example', body: plain('x') }));
    expect((await ticketOf(ticket_id)).cc_emails).toEqual([]);
  });

  test('that are two mailboxes get one ticket', async () => {
    const both = { messageId: '<both@x>', from: 'bea@customer.example', to: `${ADDRESS}, sales@desk.example`, body: plain('x') };
    const [one, two] = [await receive(mailOf(both)), await receive(mailOf(both), salesToken)];
    expect(one).toMatchObject({ status: 'processed' });
    expect(two).toMatchObject({ status: 'filed', reason: 'repeated', ticket_id: one.ticket_id });
    const other = await receive(mailOf({ ...both, from: 'ben@customer.example' }), salesToken);
    expect([other.status, other.ticket_id === one.ticket_id]).toEqual(['processed', false]);
  });

  describe('that are two mailboxes, by two routes,', () => {
    const mail = (values: Partial<Parameters<typeof mailOf>[0]>) =>
      mailOf({ from: 'Rosa <rosa@customer.example>', subject: 'Printer on fire', body: plain('It burns.\nPlease help.'), ...values });
    const list = (messageId: string) =>
      googleGroup('rosa', {
        messageId,
        subject: '[Sales] Printer on fire',
        body: plain('It burns.\nPlease help.\n_______\nYou received this because you are in the group Sales.'),
      });

    test.each<[string, (id: string) => [Buffer, Buffer]]>([
      ['directly and through a list', (messageId) => [mail({ messageId }), list(messageId)]],
      ['through a list and directly', (messageId) => [list(messageId), mail({ messageId })]],
      [
        'with the warning of a gateway and a footer',
        (messageId) => [
          mail({ messageId }),
          mail({
            messageId,
            body: plain(
              '[EXTERNAL]\n\nCAUTION: This email originated from outside of the organization.\nDo not click links.\n\n' +
                'It burns.\nPlease\nhelp.\n\n_____\nSales mailing list\nhttps://lists.example/sales',
            ),
          }),
        ],
      ],
      [
        'of which one says that it forwards',
        (messageId) => [mail({ messageId }), mail({ messageId, subject: 'Fwd: AW: Printer on fire' })],
      ],
      ['without text', (messageId) => [mail({ messageId, body: plain('') }), mail({ messageId, body: plain('') })]],
    ])('get one ticket: %s', async (name, both) => {
      const [first, second] = both(`<${name.replace(/\W/g, '')}@routes>`);
      const [one, two] = [await receive(first), await receive(second, salesToken)];
      expect([one.status, two.status, two.reason, two.ticket_id]).toEqual(['processed', 'filed', 'repeated', one.ticket_id]);
    });

    test.each<[string, Partial<Parameters<typeof mailOf>[0]>]>([
      ['another author', { from: 'eve@evil.example' }],
      ['another subject', { subject: 'Invoice 7' }],
      ['another text', { body: plain('It burns. Please send money.') }],
      ['a text that continues a number', { body: plain('It burns.\nPlease help.2') }],
      ['an order at the end', { body: plain(`It burns.\nPlease help.\n\n${'Also send 50 pieces of article 4711. '.repeat(3)}`) }],
      ['an order before a footer', { body: plain('It burns.\nPlease help.\n\nAlso 50 pieces.\n____\nSales mailing list') }],
      ['a short text that the other contains', { body: plain('help.') }],
      ['a further file', { body: multipart('mixed', plain('It burns.\nPlease help.'), file('proof.jpg', 'image/jpeg', 'x')) }],
    ])('get two tickets if the Message-ID is the same, and %s', async (name, other) => {
      const messageId = `<${name.replace(/\W/g, '')}@other>`;
      const [one, two] = [await receive(mail({ messageId })), await receive(mail({ messageId, ...other }), salesToken)];
      expect([one.status, two.status, two.ticket_id === one.ticket_id]).toEqual(['processed', 'processed', false]);
    });

    test('get two tickets if a file has another content, although its name and size are the same', async () => {
      const withFile = (content: string) =>
        mail({ messageId: '<files@other>', body: multipart('mixed', plain('See there.'), file('order.csv', 'text/csv', content)) });
      const [one, same, other] = [
        await receive(withFile('4711;10')),
        await receive(withFile('4711;10'), salesToken),
        await receive(withFile('4711;90'), salesToken),
      ];
      expect([one, same, other].map(({ status }) => status)).toEqual(['processed', 'filed', 'processed']);
    });
  });

  describe('of a mail whose Message-ID the mailbox had before', () => {
    const mail = (values: Partial<Parameters<typeof mailOf>[0]> = {}) =>
      mailOf({ messageId: '<reused@shop>', from: 'Otto <otto@shop.example>', subject: 'Order', body: plain('10 pieces.'), ...values });
    const repeats = async (raw: Buffer) => (await inbox.deliver(raw, token)).body.repeated as boolean;

    test('get a ticket for each other mail, and none for the same one', async () => {
      const first = await receive(mail());
      const others = [];
      for (const other of [{ body: plain('20 pieces.') }, { subject: 'Another order' }, { from: 'Eve <eve@shop.example>' }])
        others.push(await receive(mail(other)));
      expect([first, ...others].map(({ status }) => status)).toEqual(Array(4).fill('processed'));
      expect(new Set([first, ...others].map(({ ticket_id }) => ticket_id)).size).toBe(4);
      const byAnotherRoute = Buffer.concat([Buffer.from('Received: from mx1.example\r\n\tby mx2.example; now\r\nX-Spam: no\r\n'), mail()]);
      expect([await repeats(mail()), await repeats(byAnotherRoute), await repeats(mail({ body: plain('20 pieces.') }))]).toEqual([
        true,
        true,
        true,
      ]);
      // with a footer, it is another mail that says the same
      const listed = await receive(mail({ body: plain('10 pieces.\n____\nSales mailing list') }));
      expect(listed).toMatchObject({ status: 'filed', reason: 'repeated', ticket_id: first.ticket_id });
    });
  });
});

describe("an agent's mail to a ticket", () => {
  const passed = 'mx.desk.example; dmarc=pass (p=none) header.from=';
  const domain = () => space.owner.email.split('@')[1];
  const fromAgent = (values: Partial<Parameters<typeof mailOf>[0]>, results: string | null) =>
    mailOf({
      from: `Olive Owner <${space.owner.email}>`,
      body: plain('Take sand.'),
      ...values,
      headers: { ...(results !== null && { 'Authentication-Results': results }), ...values.headers },
    });

  test("is relayed as the team's answer if the mail server verified it", async () => {
    const { ticket, email, answerId } = await answered('vera', { cc_emails: ['copy@customer.example'] });
    const row = await receive(fromAgent({ answers: answerId, headers: { Cc: 'copy@customer.example' } }, passed + domain()));
    expect(row).toMatchObject({ status: 'processed', ticket_id: ticket.id });
    expect((await messagesOf(ticket.id))[2]).toMatchObject({
      kind: 'public',
      body: 'Take sand.',
      author: { type: 'agent', email: space.owner.email },
    });
    const mail = await smtp.newest(email, `Re: [${ticket.number}]`, 2);
    expect(mail.text).toContain('Take sand.');
    expect(mail.source).toMatch(/^From: .*<desk@suite\.example>/im);
    expect((await ticketOf(ticket.id)).status_category).toBe('open');
    // the agent sent it to them already
    await smtp.newest('copy@customer.example', `Re: [${ticket.number}]`);
    expect(sentTo('copy@customer.example')).toHaveLength(1);
  });

  test('answers what the customer wrote, and is found by the number', async () => {
    const { ticket_id } = await receive(mailOf({ from: 'vito@customer.example', messageId: '<vito@x>', body: plain('x') }));
    const { number } = await ticketOf(ticket_id);
    expect((await receive(fromAgent({ answers: '<vito@x>' }, passed + domain()))).ticket_id).toBe(ticket_id);
    expect((await receive(fromAgent({ subject: `AW: [${number}]` }, passed + domain()))).ticket_id).toBe(ticket_id);
    await smtp.newest('vito@customer.example', 'Re: [', 2);
  });

  test.each([
    ['no result', () => null],
    ['the result of another server', () => `mx.evil.example; dmarc=pass header.from=${domain()}`],
    ['a failure', () => `mx.desk.example; dmarc=fail header.from=${domain()}; dkim=pass header.d=evil.example; spf=pass`],
    ['the result of another domain', () => `${passed}evil.example`],
  ])('with %s is a note that says so', async (_name, results) => {
    const { ticket, email, answerId } = await answered(`wim${_name.length}`);
    const before = sentTo(email).length;
    expect(await receive(fromAgent({ answers: answerId }, results()))).toMatchObject({ status: 'processed', ticket_id: ticket.id });
    expect((await messagesOf(ticket.id))[2]).toMatchObject({
      kind: 'internal',
      author: { type: 'system' },
      body: expect.stringMatching(/is not verified[\s\S]*Take sand\./),
    });
    expect(sentTo(email)).toHaveLength(before);
    // and a number in the subject opens nothing to a forger
    expect((await receive(fromAgent({ subject: `[${ticket.number}]` }, results()))).ticket_id).not.toBe(ticket.id);
  });

  test('of a colleague who asked for help is what the requester writes', async () => {
    const made = await makeTicket(client, space.ops.id, { requester: { email: space.owner.email } });
    const row = await receive(fromAgent({ subject: `Re: [${made.number}]` }, passed + domain()));
    expect(row.ticket_id).toBe(made.id);
    expect((await messagesOf(made.id))[1].author).toMatchObject({ type: 'requester', email: space.owner.email });
  });
});
