import type { Client } from '../../../../test/harness/client.js';
import { ORG_DESK } from './desk-fixture.js';
import { eventually } from '../../../../test/harness/eventually.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

/** What became of a mail. */
export interface InboundRow {
  id: string;
  status: string;
  reason: string | null;
  ticket_id: string | null;
}

/** The mailboxes of a workspace, as its mail gateway and its members see them. */
export class DeskInbox {
  constructor(
    private readonly app: TestApp,
    private readonly space: Workspace,
    private readonly owner: Client,
  ) {}

  /** The id of the new mailbox, and the secret part of its address for gateways. */
  async open(values: object): Promise<{ id: string; token: string }> {
    const { status, body, text } = await this.owner.post(`${ORG_DESK}/mailboxes`, { project_id: this.space.ops.id, ...values });
    if (status !== 201) throw new Error(text);
    return { id: body.id as string, token: (body.delivery_url as string).split('/').at(-1) as string };
  }

  deliver(raw: Buffer, token: string) {
    return this.owner.post(`/api/v1/public/desk/mail/${token}`, raw, { 'content-type': 'message/rfc822', authorization: '' });
  }

  /** Delivers a mail and waits until it was read. */
  async receive(raw: Buffer, token: string): Promise<InboundRow> {
    const { status, body, text } = await this.deliver(raw, token);
    if (status !== 202) throw new Error(text);
    return this.settled(body.message_id as string);
  }

  /** The latest mail with a Message-ID, once it was read. */
  settled(messageId: string): Promise<InboundRow> {
    const sql = `
      SELECT id, status, reason, ticket_id FROM desk_inbound_mails WHERE organization_id = $1 AND message_id = $2
      ORDER BY updated_at DESC, id DESC LIMIT 1`;
    return eventually(
      async () => (await this.app.sql.query<InboundRow>(sql, [this.space.organizationId, messageId])).rows[0],
      ({ status }) => status !== 'received',
    );
  }
}
