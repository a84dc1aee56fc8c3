import type { Client } from './client.js';

export const EXT_DESK = '/api/v1/ext/desk';
export const ORG_DESK = '/api/v1/org/desk';

export interface TicketBody {
  id: string;
  number: string;
  status_category: string;
  version: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the response as it came
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
