import { Injectable } from '@nestjs/common';
import { newId, type AuditRecord } from '../../kit/internal.js';
import { AUDIT_RECORDED } from '../events/audit-event.js';
import { run } from '../persistence/rows/reader.js';
import type { Queryable } from '../persistence/rows/queryable.js';
import { AuditTrail } from '../persistence/transactions/audit-trail.js';
import { CallContext } from '../persistence/transactions/call-context.js';
import { freezeEvent, type FrozenEvent } from '../persistence/transactions/outbox-writer.js';
import type { AuditLogEntry } from './audit-log-entry.entity.js';
import { AuditLogEntryDto } from './audit.dto.js';
import { AuditEvents } from './audit.events.js';

const USER_AGENT_BOUND = 200;
/** Without an endpoint that names the event, none is written. */
const APPEND = `
  SELECT e.*, EXISTS (
    SELECT FROM webhook_endpoints w WHERE w.organization_id = e.organization_id AND w.mode = 'live' AND w.status = 'enabled'
    AND w.events && ARRAY['${AUDIT_RECORDED}', 'audit.*']) AS is_sent
  FROM append_audit_entries($1, $2, $3) AS e`;

/** Appends to the hash chain of an organization. */
@Injectable()
export class PgAuditTrail extends AuditTrail {
  async write(client: Queryable, ctx: CallContext, records: readonly AuditRecord[]): Promise<FrozenEvent[]> {
    const entries = records.map(({ action, objectType, objectId, before, after }) => ({
      id: newId(),
      action,
      object_type: objectType,
      object_id: objectId,
      before: before ?? null,
      after: after ?? null,
    }));
    const { rows } = await run<AuditLogEntry & { is_sent: boolean }>(client, {
      text: APPEND,
      values: [ctx.organizationId, JSON.stringify(callerOf(ctx)), JSON.stringify(entries)],
    });
    const live = inLiveMode(ctx);
    return rows.flatMap(({ is_sent, ...row }) =>
      is_sent ? freezeEvent(live, AuditEvents.recorded, { object: AuditLogEntryDto.from(row as AuditLogEntry), projectId: null }) : [],
    );
  }
}

function callerOf({ actor, origin, requestId }: CallContext): Record<string, string | null> {
  return {
    actor_type: origin?.operator === undefined ? actor.type : 'operator',
    actor_id: actor.id,
    actor_name: origin?.operator ?? actor.email,
    operation: origin?.operation ?? null,
    address: origin?.address ?? null,
    user_agent: origin?.userAgent?.slice(0, USER_AGENT_BOUND).toWellFormed() ?? null,
    request_id: requestId,
  };
}

/** The log is that of the organization, whichever data the caller works on. */
function inLiveMode(ctx: CallContext): CallContext {
  const { requestId, organizationId, actor, memberId, scopes, permissions } = ctx;
  return new CallContext(requestId, organizationId, null, 'live', actor, memberId, scopes, permissions);
}
