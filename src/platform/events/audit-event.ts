/** The event of the audit log. It is sent only to endpoints that name it: who subscribes to everything did not ask for it. */
export const AUDIT_RECORDED = 'audit.recorded';
