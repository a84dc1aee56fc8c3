import type { PermissionDefinitions } from '../../kit/index.js';

export const WEBHOOK_PERMISSIONS = {
  'org.developer.webhooks.manage': {
    title: 'Set up webhook endpoints, see and replay deliveries',
    group: 'Developer area',
    roles: ['admin', 'developer'],
  },
} as const satisfies PermissionDefinitions;
