import type { PermissionDefinitions } from '../../kit/index.js';

export const REQUEST_LOG_PERMISSIONS = {
  'org.developer.logs.view': { title: 'See the request log and its analytics', group: 'Developer area', roles: ['admin', 'developer'] },
} as const satisfies PermissionDefinitions;
