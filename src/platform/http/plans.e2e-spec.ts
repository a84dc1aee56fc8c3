import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Client } from '../../../test/harness/client.js';
import { NOTES, sharedNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';

const app = await sharedNotesApp();
const workspace = await app.workspace();
const { client: careless } = await workspace.key();
const asking = await workspace.key({ requires_plan: true, actor_user_id: workspace.owner.id });
const { client } = asking;
const DRY = { 'svc-dry-run': 'true' };
const planOf = (token: string) => ({ 'svc-plan-token': token });

async function newNote(): Promise<string> {
  const { body } = await careless.post(NOTES, { project_id: workspace.eng.id, title: `planned ${randomUUID()}` });
  return `${NOTES}/${body.id}`;
}

async function tool(caller: Client, name: string, args: object) {
  const params = { name, arguments: args };
  const { body } = await caller.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return body.result as {
    isError?: true;
    structuredContent: { plan_token: string; error: { code: string; param: string; plan_token: string } };
  };
}

test('a deletion needs the token of a dry run, which works once', async () => {
  const note = await newNote();
  const refused = await client.delete(note);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'confirmation_required']);
  expect(refused.body.error.plan).toMatchObject({ object: 'dry_run', would_send: [] });
  const tried = await client.delete(note, DRY);
  expect(tried.body.plan_token).toMatch(/^plan_/);
  expect((await client.get(note)).status).toBe(200);
  expect((await client.delete(note, planOf(tried.body.plan_token))).status).toBe(204);
  // the plan of the refusal is the same, but the note is gone
  expect((await client.delete(note, planOf(refused.body.error.plan_token))).status).toBe(404);
});

test('a token works once also if the call changes nothing, and not for another note or key', async () => {
  const note = await newNote();
  const { plan_token } = (await client.post(`${note}/sign`, undefined, DRY)).body;
  const other = await workspace.key({ requires_plan: true, actor_user_id: workspace.owner.id });
  for (const [caller, path] of [
    [client, `${await newNote()}/sign`],
    [other.client, `${note}/sign`],
  ] as const) {
    const { status, body } = await caller.post(path, undefined, planOf(plan_token));
    expect([status, body.error.message]).toEqual([409, expect.stringMatching(/^The plan token is for another call/)]);
  }
  const key = { 'idempotency-key': randomUUID() };
  expect((await client.post(`${note}/sign`, undefined, { ...planOf(plan_token), ...key })).status).toBe(200);
  const again = await client.post(`${note}/sign`, undefined, planOf(plan_token));
  expect([again.status, again.body.error.message]).toEqual([409, expect.stringMatching(/^The plan token has been used/)]);
  // a retry of the call is no second use
  const retried = await client.post(`${note}/sign`, undefined, { ...planOf(plan_token), ...key });
  expect([retried.status, retried.headers['idempotent-replayed']]).toEqual([200, 'true']);
});

test('a note that has changed since needs another plan, and a failed call has not used its token', async () => {
  const note = await newNote();
  const { plan_token } = (await client.delete(note, DRY)).body;
  await careless.patch(note, { body: 'changed meanwhile' });
  const { status, body } = await client.delete(note, planOf(plan_token));
  expect([status, body.error.message]).toEqual([409, expect.stringMatching(/^What the call would change has changed/)]);
  const failed = await client.delete(note, { ...planOf(body.error.plan_token), 'if-match': '"1"' });
  expect(failed.body.error.code).toBe('version_conflict');
  expect((await client.delete(note, planOf(body.error.plan_token))).status).toBe(204);
});

test('calls that neither delete nor reach people need none, and other keys need none', async () => {
  const note = await newNote();
  const tried = await client.patch(note, { body: 'x' }, DRY);
  expect(tried.body).not.toHaveProperty('plan_token');
  expect((await client.patch(note, { body: 'x' })).status).toBe(200);
  expect((await careless.delete(note, DRY)).body).not.toHaveProperty('plan_token');
  expect((await careless.delete(note)).status).toBe(204);
  expect((await client.delete(note, planOf('x'))).body.error).toMatchObject({ code: 'validation_failed', param: 'Svc-Plan-Token' });
});

test('a tool has it as an argument, which the listing of such keys has', async () => {
  const listed = async (caller: Client) => {
    const { body } = await caller.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const tools = body.result.tools as { name: string; inputSchema: { properties: object } }[];
    return tools.filter(({ inputSchema }) => 'plan_token' in inputSchema.properties).map(({ name }) => name);
  };
  expect([await listed(client), await listed(careless)]).toEqual([['delete_note', 'sign_note'], []]);
  const id = (await newNote()).split('/').at(-1)!;
  const { isError, structuredContent } = await tool(client, 'delete_note', { id });
  expect([isError, structuredContent.error]).toEqual([
    true,
    expect.objectContaining({ code: 'confirmation_required', param: 'plan_token' }),
  ]);
  const tried = await tool(client, 'delete_note', { id, dry_run: true });
  expect((await tool(client, 'delete_note', { id, plan_token: tried.structuredContent.plan_token })).isError).toBeUndefined();
  expect((await careless.get(`${NOTES}/${id}`)).status).toBe(404);
});

test('a key stops asking only if somebody changes it who may let it do more', async () => {
  const owner = await workspace.signIn();
  const path = `/api/v1/org/developer/api-keys/${asking.id}`;
  expect((await owner.get(path)).body.requires_plan).toBe(true);
  expect((await owner.patch(path, { requires_plan: false })).body.requires_plan).toBe(false);
  expect((await client.delete(await newNote())).status).toBe(204);
});
