import type { PermissionDefinitions } from '../../kit/index.js';

export const AUDIT_PERMISSIONS = {
  'org.audit.view': { title: 'See the audit log', group: 'Organization', roles: ['admin'] },
} as const satisfies PermissionDefinitions;
