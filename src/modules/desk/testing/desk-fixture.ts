import type { Client } from '../../../../test/harness/client.js';
import { eventsOf } from '../../../../test/harness/outbox.js';
import type { TestApp } from '../../../../test/harness/test-app.js';

export const EXT_DESK = '/api/v1/ext/desk';
export const ORG_DESK = '/api/v1/org/desk';

export interface TicketBody {
  id: string;
  number: string;
  status_category: string;
  version: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the response as it came
  [field: string]: any;
}

/** Creates a ticket of `ada@customer.example`, whom nobody mails. */
export async function makeTicket(client: Client, projectId: string, values: object = {}): Promise<TicketBody> {
  const { status, body, text } = await client.post(`${EXT_DESK}/tickets`, {
    project_id: projectId,
    subject: 'The printer does not print',
    requester: { email: 'ada@customer.example', name: 'Ada Lovelace' },
    message: 'It prints empty pages.',
    notify: false,
    ...values,
  });
  if (status !== 201) throw new Error(text);
  return body as TicketBody;
}

/** Makes the signed-in owner an agent of a project; answers the agent's id. */
export async function makeAgent(owner: Client, projectId: string, memberId: string): Promise<string> {
  const { status, body, text } = await owner.post(`${ORG_DESK}/agents`, { project_id: projectId, member_id: memberId });
  if (status !== 201) throw new Error(text);
  return (body as { id: string }).id;
}

/** The ids of a project's statuses by category. */
export async function statusesOf(client: Client, projectId: string): Promise<Record<string, string>> {
  const { body } = await client.get(`${EXT_DESK}/statuses?project_id=${projectId}`);
  return Object.fromEntries((body.data as { category: string; id: string }[]).map(({ category, id }) => [category, id]));
}

export const TICKETS = `${EXT_DESK}/tickets`;

/** A desk in the default project of a workspace, with its owner as an agent. */
export async function openDesk(app: TestApp) {
  const space = await app.workspace();
  const projectId = space.eng.id;
  const owner = await space.signIn();
  const { client } = await space.key({ module: 'desk' });
  const agentId = await makeAgent(owner, projectId, space.owner.id);
  return {
    space,
    projectId,
    owner,
    client,
    agentId,
    statuses: await statusesOf(client, projectId),
    make: (values: object = {}, by: Client = client) => makeTicket(by, projectId, values),
    get: async ({ id }: { id: string }) => (await client.get(`${TICKETS}/${id}`)).body as TicketBody,
    patch: async ({ id }: { id: string }, values: object) => {
      const { status, body, text } = await client.patch(`${TICKETS}/${id}`, values);
      if (status !== 200) throw new Error(text);
      return body as TicketBody;
    },
    reply: async ({ id }: { id: string }, values: object) => {
      const { status, body, text } = await client.post(`${TICKETS}/${id}/replies`, values);
      if (status !== 201) throw new Error(text);
      return body as { id: string; ticket_id: string; delivery: { status: string } | null; author: object; body: string };
    },
    messagesOf: async ({ id }: { id: string }, query = '') =>
      (await client.get(`${TICKETS}/${id}/messages?limit=100${query}`)).body.data as {
        kind: string;
        body: string;
        original_ticket_id: string | null;
      }[],
    eventsOf: async ({ id }: { id: string }) =>
      (await eventsOf(app, space)).filter(({ data }) => data.object.id === id).map(({ type, data }) => ({ type, context: data.context })),
  };
}
