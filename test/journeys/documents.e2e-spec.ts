import { afterAll, describe, expect, it } from '@jest/globals';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { DemoFacts } from '../../src/demo/demo-file.js';
import { Client } from '../harness/client.js';
import { startDemoApp } from '../harness/demo.js';
import { eventFaults } from '../harness/event-document.js';
import { eventually } from '../harness/eventually.js';
import { Mailbox } from '../harness/mailbox.js';
import { poppler } from '../../src/modules/documents/testing/poppler.js';
import { Receiver, type Received } from '../harness/receiver.js';
import { signIn } from '../harness/workspace.js';

const PAPERS = '/api/v1/ext/papers';
const ORG_PAPERS = '/api/v1/org/papers';
const GRACE = 'grace@demo.example';
const ADA = 'ada@demo.example';
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
const DAY_MS = 86_400_000;

const tools = poppler();
const itWithPoppler = tools ? it : it.skip;

interface Delivered {
  type: string;
  sequence: number;
  actor: { type: string; email: string | null };
  data: { object: { id: string; state: string }; context: Record<string, never> };
}

const [mailbox, receiver] = await Promise.all([Mailbox.start(), Receiver.start()]);
const { app, demo } = await startDemoApp({ env: mailbox.env });
const facts = demo.facts();
const key = (name: string) => demo.key(name);
/** Ada, signed in. */
const owner = await signIn(app.url, facts.members.find(({ role }) => role === 'owner') as DemoFacts['members'][number]);
/** An agent whose key is bound to Grace. */
const agent = new McpClient({ name: 'journey', version: '1.0.0' });
await agent.connect(
  new StreamableHTTPClientTransport(new URL(facts.mcp_url), {
    requestInit: { headers: { authorization: `Bearer ${demo.secret(`Documents, live, full, for ${GRACE}`)}` } },
  }),
);
await receiver.subscribe(owner);

afterAll(async () => {
  await agent.close();
  await Promise.all([mailbox.stop(), receiver.stop()]);
});

/** Calls a tool and returns its structured content; throws on an error result. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts the fields instead of declaring them
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const result = await agent.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return result.structuredContent;
}

/** The path of the signing page from the newest signature request to an address. */
async function signingLink(address: string): Promise<string> {
  const { text } = await mailbox.newest(address, 'Please sign');
  return (/https?:\/\/[^/\s]+(\/s\/[\w-]{43})/.exec(text) as RegExpExecArray)[1];
}

function sign(link: string, typed_name: string) {
  return new Client(app.url).post(`${link}/sign`, new URLSearchParams({ kind: 'typed', typed_name, consent: 'yes' }).toString(), FORM);
}

/** Waits until the mail server has accepted a signature request and the document is sent. */
async function taken(id: string): Promise<void> {
  const sent = async () => {
    await app.runScheduledJob('documents.invitations');
    return owner.get(`${ORG_PAPERS}/documents/${id}`);
  };
  await eventually(sent, ({ body }) => body.state === 'sent');
}

function eventOf({ body }: Received): Delivered {
  return JSON.parse(body) as Delivered;
}

/** Waits for an event of a type; returns all events of the document in order. */
async function delivered(id: string, type: string): Promise<Delivered[]> {
  const of = async () =>
    receiver.received
      .map(eventOf)
      .filter(({ data }) => data.object.id === id)
      .sort((a, b) => a.sequence - b.sequence);
  return eventually(of, (events) => events.some((event) => event.type === type));
}

function labelOf({ type, data }: Delivered): string {
  return type === 'paper.state_changed' ? `${type} ${String(data.context.to)}` : type;
}

describe('a won deal', () => {
  let id: string;
  let file: Buffer;

  it('becomes an agreement that awaits approval', async () => {
    const crm = key('CRM, live, full');
    const [deal] = (await crm.get('/api/v1/ext/crm/deals?status=open&q=Autumn')).body.data;
    await crm.patch(`/api/v1/ext/crm/deals/${deal.id}`, { status: 'won' });
    const pending = async () =>
      (await call('list_pending_approvals', { type_code: 'customer_agreement', limit: 100 })).data as {
        document: { id: string; title: string };
        approver: { email: string };
      }[];
    const [decision] = await eventually(
      async () => (await pending()).filter(({ document }) => document.title === `Agreement: ${deal.title}`),
      ({ length }) => length > 0,
    );
    expect(decision.approver.email).toBe(GRACE);
    id = decision.document.id;
    expect(await call('get_document', { id })).toMatchObject({
      state: 'in_approval',
      created_by: { type: 'system' },
      allowed_actions: expect.arrayContaining(['approve', 'reject', 'return']),
    });
  });

  it('is approved on behalf of a member, which finalizes it', async () => {
    await call('create_document_comment', { id, body: 'The schedule will follow with the order.' });
    const approved = await call('act_on_document', {
      id,
      action: 'APPROVE',
      approver_email: GRACE,
      comments: 'Fine.',
      idempotency_key: 'approve-once',
    });
    expect(approved).toMatchObject({
      state: 'finalized',
      approval: { outcome: 'approved' },
      content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(
      await call('act_on_document', { id, action: 'APPROVE', approver_email: GRACE, comments: 'Fine.', idempotency_key: 'approve-once' }),
    ).toEqual(approved);
  });

  it('is sent and signed by both parties in signing order', async () => {
    const sending = await call('act_on_document', { id, action: 'TRANSITION', lifecycle_action: 'send', approver_email: GRACE });
    expect([sending.state, sending.signature.request]).toEqual(['finalized', 'sending']);
    await taken(id);
    const { signature, data_values } = await call('get_document', { id });
    expect(signature.parties.map(({ email }: { email: string }) => email)).toEqual([data_values.contact_email, ADA]);
    const customer = await signingLink(data_values.contact_email);
    const page = await new Client(app.url).get(customer, { accept: 'text/html' });
    expect([page.status, page.text.includes('Osei &amp; Lindqvist Trading GmbH')]).toEqual([200, true]);
    expect((await sign(customer, data_values.contact_name)).status).toBeLessThan(400);
    expect((await call('get_document', { id })).state).toBe('partially_signed');
    expect((await sign(await signingLink(ADA), 'Ada Osei')).status).toBeLessThan(400);
    expect(await call('get_document', { id })).toMatchObject({ state: 'executed', valid_until_on: expect.any(String) });
  });

  it('is downloaded as a PDF', async () => {
    const { body, headers } = await key('Documents, live, read-only').get(`${PAPERS}/documents/${id}/content?format=pdf`, {
      accept: 'application/pdf',
    });
    expect(headers['content-type']).toBe('application/pdf');
    file = body as Buffer;
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
  });

  itWithPoppler('has a valid seal and the signature certificate according to Poppler', () => {
    const text = tools?.text(file).replace(/\s+/g, ' ');
    for (const part of ['Supply and Services Agreement', 'Ada Osei', ADA]) expect(text).toContain(part);
    expect(tools?.signatures(file)).toContain('Signature is Valid');
  });

  it('creates obligations, which a key can complete', async () => {
    const { data } = await call('list_document_obligations', { id, limit: 100, fields: ['kind', 'responsible'] });
    expect(
      data.map(({ kind, responsible }: { kind: string; responsible: { side: string } }) => `${kind} ${responsible.side}`).sort(),
    ).toEqual(['payment counterparty', 'renewal us', 'report us']);
    const payment = data.find(({ kind }: { kind: string }) => kind === 'payment');
    expect(await call('complete_obligation', { id: payment.id })).toMatchObject({ status: 'completed', completed_by: { type: 'api_key' } });
  });

  it('sends an event for each step to the webhook endpoint, as OpenAPI declares it', async () => {
    const events = await delivered(id, 'paper.obligation_completed');
    expect(events.map(labelOf)).toEqual([
      'paper.created',
      'paper.state_changed in_approval',
      'paper.comment_added',
      'paper.state_changed approved',
      'paper.state_changed finalized',
      'paper.finalized',
      'paper.comment_added',
      'paper.state_changed sent',
      'paper.sent',
      'paper.state_changed partially_signed',
      'paper.signed',
      'paper.state_changed executed',
      'paper.signed',
      'paper.fully_executed',
      'paper.obligation_created',
      'paper.obligation_created',
      'paper.obligation_created',
      'paper.obligation_completed',
    ]);
    expect([events[0].actor.type, events[2].actor.type, events[9].actor]).toEqual([
      'system',
      'api_key',
      { type: 'guest', id: null, email: expect.stringContaining('@') },
    ]);
    expect(await eventFaults(app.url, receiver.received)).toEqual([]);
  });
});

describe('a document also sends an event when', () => {
  const papers = () => key(`Documents, live, full, for ${GRACE}`);
  const move = async (id: string, lifecycle_action: string, over: object = {}) =>
    papers().patch(`${PAPERS}/documents/${id}/workflow/status`, { action: 'TRANSITION', lifecycle_action, approver_email: GRACE, ...over });

  async function finalized(contact_email = 'yuki@hoshi-ceramics.example'): Promise<string> {
    const { body } = await papers().post(`${PAPERS}/documents`, {
      type_code: 'mutual_nda',
      title: 'NDA',
      data_values: { ...facts.samples.documents.mutual_nda, contact_email },
      project_id: facts.projects[1].id,
    });
    expect((await move(body.id as string, 'finalize')).body.state).toBe('finalized');
    return body.id as string;
  }

  it('a party declines', async () => {
    const partner = 'declines@hoshi-ceramics.example';
    const id = await finalized(partner);
    await move(id, 'send');
    await new Client(app.url).post(
      `${await signingLink(partner)}/decline`,
      new URLSearchParams({ reason: 'Section 6 is too long for us.' }).toString(),
      FORM,
    );
    expect((await delivered(id, 'paper.declined')).at(-1)).toMatchObject({
      type: 'paper.declined',
      actor: { type: 'guest', email: partner },
      data: { object: { state: 'declined' }, context: { reason: 'Section 6 is too long for us.', party: { email: partner } } },
    });
  });

  it('its signing deadline passes', async () => {
    const id = await finalized();
    await move(id, 'send');
    await taken(id);
    await app.runScheduledJob('documents.expire', new Date(Date.now() + 31 * DAY_MS));
    expect((await delivered(id, 'paper.expired')).at(-1)).toMatchObject({
      type: 'paper.expired',
      actor: { type: 'system' },
      data: { object: { state: 'expired' }, context: { reason: 'signing_deadline' } },
    });
  });

  it('it is revoked', async () => {
    const id = await finalized();
    expect((await move(id, 'revoke', { comments: 'The project was called off.' })).status).toBe(200);
    expect((await delivered(id, 'paper.revoked')).find(({ type }) => type === 'paper.revoked')).toMatchObject({
      data: { object: { state: 'revoked' }, context: { reason: 'The project was called off.' } },
    });
  });

  it('another document supersedes it', async () => {
    const [id, superseded_by_id] = [await finalized(), await finalized()];
    expect((await owner.post(`${ORG_PAPERS}/documents/${id}/supersede`, { superseded_by_id })).status).toBe(200);
    expect((await delivered(id, 'paper.superseded')).at(-1)).toMatchObject({
      type: 'paper.superseded',
      actor: { type: 'user', email: ADA },
      data: { object: { state: 'superseded' }, context: { superseded_by_id } },
    });
  });

  it('a member overrides its lifecycle', async () => {
    const id = await finalized();
    expect((await owner.post(`${ORG_PAPERS}/documents/${id}/override`, { to: 'draft', reason: 'Finalized by mistake.' })).status).toBe(200);
    expect((await delivered(id, 'paper.lifecycle_override')).find(({ type }) => type === 'paper.lifecycle_override')).toMatchObject({
      actor: { email: ADA },
      data: { object: { state: 'draft' }, context: { from: 'finalized', to: 'draft', reason: 'Finalized by mistake.' } },
    });
  });

  it('it breaks a critical rule', async () => {
    const id = await finalized();
    const rule = {
      rule_id: 'arbitration',
      version: 1,
      title: 'Arbitration clause',
      effective_on: '2026-01-01',
      type_codes: ['mutual_nda'],
      check: { kind: 'clause_required', pattern: 'arbitration' },
      severity: 'critical',
    };
    expect((await owner.post(`${ORG_PAPERS}/rule-packs`, { name: 'House rules', jurisdiction: 'DE', rules: [rule] })).status).toBe(201);
    expect((await delivered(id, 'ai.risk.critical_detected')).at(-1)).toMatchObject({
      type: 'ai.risk.critical_detected',
      actor: { type: 'system' },
      data: { context: { finding: { rule_id: 'arbitration', severity: 'critical' } } },
    });
  });

  it('any of the 15 event types occurs, all of which the endpoint has received as OpenAPI declares them', async () => {
    const { webhooks } = (await new Client(app.url).get('/openapi.json')).body as { webhooks: Record<string, unknown> };
    const ours = Object.keys(webhooks)
      .filter((type) => type.startsWith('paper.') || type.startsWith('ai.'))
      .sort();
    expect(ours).toHaveLength(15);
    const seen = new Set(receiver.received.map(({ event }) => event.type));
    expect(ours.filter((type) => !seen.has(type))).toEqual([]);
    expect(await eventFaults(app.url, receiver.received)).toEqual([]);
  });
});
