import { expect, test } from '@jest/globals';
import { sharedMailApp } from '../../../../../../test/harness/hosted-app.js';
import { party, SigningFixture } from '../../../testing/signing-fixture.js';

const { app, mailbox } = await sharedMailApp();
const signing = await SigningFixture.open(app, mailbox);
const { workflow, visitor } = signing;

/** The text of a page of the file that all have signed, as it is shown. */
async function pageText(link: string, page: number): Promise<string> {
  const { body } = await visitor.get(`${link}/pages/${page}/text`);
  return String(body)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(\w) - /g, '$1-');
}

test('the certificate tells in order who sent, opened, was reminded, passed on and signed the document', async () => {
  const { id, customer } = await signing.finalized([party('customer', { may_delegate: true })]);
  const cc = [{ name: 'Alan Turing', email: 'alan@history.example', when: 'sent' }];
  expect((await workflow.org(id, 'send', { sending: { cc } })).status).toBe(200);
  await signing.delivered(customer);
  await visitor.get(await signing.link(customer));
  const [{ id: partyId }] = (await signing.parties(id)).body.data;
  expect((await workflow.screen.post(`/api/v1/org/papers/documents/${id}/parties/${partyId}/remind`)).status).toBe(200);
  const reminded = await signing.link(customer, 'Please sign (reminder)');
  const delegate = { delegate_name: 'Barbara Liskov', delegate_email: 'barbara@history.example' };
  await signing.post(`${reminded}/delegate`, delegate);
  await signing.delivered(delegate.delegate_email);
  const link = await signing.link(delegate.delegate_email);
  await visitor.get(link);
  // as if it had been opened an hour earlier, too
  await app.sql.query(
    `UPDATE signature_parties SET viewed_at = viewed_at - interval '1 hour', last_viewed_at = last_viewed_at - interval '2 minutes'
     WHERE document_id = $1`,
    [id],
  );
  await visitor.get(link);
  await signing.sign(link, { typed_name: 'Barbara Liskov' });

  const text = `${await pageText(link, 2)} ${await pageText(link, 3)}`;
  const history = text.slice(text.indexOf('History'));
  const lines = [
    // without the end of the address, at which the line breaks: the text of the PDF can repeat the letters around a break
    `Sent by ${workflow.space.owner.email.slice(0, 12)}`,
    'Barbara Liskov (barbara@history.example) opened the document for the first time (127.0.0.1, Test browser)',
    'A copy to read was mailed to Alan Turing (alan@history.example)',
    `Ada Lovelace (${customer}) was reminded`,
    `Ada Lovelace (${customer}) passed the document on to Barbara Liskov (barbara@history.example)`,
    'Barbara Liskov (barbara@history.example) last opened the document before signing',
    'Barbara Liskov (barbara@history.example) signed (127.0.0.1, Test browser)',
    'Alan Turing (alan@history.example) is to receive the signed document',
  ];
  const places = lines.map((line) => history.replace(/\s/g, '').indexOf(line.replace(/\s/g, '')));
  expect({ history, found: places.every((place) => place >= 0) }).toEqual({ history, found: true });
  expect(places).toEqual([...places].sort((one, other) => one - other));
});
