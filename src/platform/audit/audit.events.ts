import { defineEvents, event } from '../../kit/index.js';
import { AUDIT_RECORDED } from '../events/audit-event.js';
import { AuditLogEntryDto } from './audit.dto.js';

export const AuditEvents = defineEvents({
  recorded: event({
    name: AUDIT_RECORDED,
    description:
      'The audit log has a new entry. Sent in live mode to endpoints that name this event or `audit.*`; endpoints that subscribe to `*` ' +
      'do not get it.',
    permission: 'org.audit.view',
    payload: AuditLogEntryDto,
  }),
});
