import { Injectable } from '@nestjs/common';
import { currentWork, type AuditRecord } from '../../kit/internal.js';
import { AUDIT_RECORDED } from '../events/audit-event.js';
import { run } from '../persistence/rows/reader.js';
import type { Queryable } from '../persistence/rows/queryable.js';
import { AuditTrail } from '../persistence/transactions/audit-trail.js';
import { CallContext } from '../persistence/transactions/call-context.js';
import type { FrozenEvent } from '../persistence/transactions/frozen-event.js';
import { freezeEvent } from '../persistence/transactions/outbox-writer.js';
import { requestOfWork } from '../request/request-work.js';
import type { AuditLogEntry } from './audit-log-entry.entity.js';
import { AuditLogEntryDto } from './audit.dto.js';
import { AuditEvents } from './audit.events.js';

const USER_AGENT_BOUND = 200;
/** The subscriptions to the event of an entry. Without an endpoint that has one of them, no event is written. */
const NAMES = [AUDIT_RECORDED, 'audit.*'];

/** Appends to the hash chain of an organization. */
@Injectable()
export class PgAuditTrail extends AuditTrail {
  async write(client: Queryable, ctx: CallContext, records: readonly AuditRecord[]): Promise<FrozenEvent[]> {
    const entries = records.map(({ action, objectType, objectId, before, after }) => ({
      action,
      object_type: objectType,
      object_id: objectId,
      before: before ?? null,
      after: after ?? null,
    }));
    const { rows } = await run<AuditLogEntry>(client, {
      text: 'SELECT * FROM append_audit_entries($1, $2, $3, $4)',
      values: [ctx.organizationId, JSON.stringify(callerOf(ctx)), JSON.stringify(entries), NAMES],
    });
    if (rows.length === 0) return [];
    const live = inLiveMode(ctx);
    return rows.map((row) => freezeEvent(live, AuditEvents.recorded, { object: AuditLogEntryDto.from(row), projectId: null }));
  }
}

function callerOf({ actor, app, origin: own, requestId }: CallContext): Record<string, string | null> {
  const request = requestOfWork();
  const origin = own ?? request;
  return {
    actor_type: app ? 'oauth_client' : own?.operator === undefined ? actor.type : 'operator',
    actor_id: app?.id ?? actor.id,
    actor_name: app?.name ?? own?.operator ?? actor.email,
    operation: origin?.operation ?? currentWork()?.operation ?? null,
    address: origin?.address ?? null,
    user_agent: origin?.userAgent?.slice(0, USER_AGENT_BOUND).toWellFormed() ?? null,
    request_id: requestId ?? request?.requestId ?? null,
  };
}

/** The log is that of the organization, whichever data the caller works on. */
function inLiveMode(ctx: CallContext): CallContext {
  const { requestId, organizationId, actor, memberId, scopes, permissions } = ctx;
  return new CallContext(requestId, organizationId, null, 'live', actor, memberId, scopes, permissions);
}
