import { expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describeOfficialClients } from './official-clients.js';
import { startTarget } from './target.js';

describeOfficialClients(() => startTarget());

it('accepts the result of a deletion, which has no structured content', async () => {
  const target = await startTarget();
  const client = new Client({ name: 'spec', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const headers = { authorization: `Bearer ${target.key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers } }));
  await client.listTools();
  const created = await client.callTool({ name: 'create_task', arguments: { project_id: target.projectId, title: 'Short-lived' } });
  const { id } = created.structuredContent as { id: string };
  const result = await client.callTool({ name: 'delete_task', arguments: { id } });
  expect(result).toMatchObject({ content: [{ type: 'text', text: 'Deleted.' }] });
  expect(result.isError ?? false).toBe(false);
  await client.close();
  await target.stop();
});
