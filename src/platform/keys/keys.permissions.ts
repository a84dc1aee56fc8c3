import type { PermissionDefinitions } from '../../kit/index.js';

/** Manages the keys of every module that declares no permissions of its own for them. */
export const MANAGE_KEYS = 'org.developer.apikeys.manage';

export const KEY_PERMISSIONS = {
  [MANAGE_KEYS]: {
    title: 'Create, change, roll and revoke API keys, and authorize MCP clients',
    group: 'Developer area',
    roles: ['admin', 'developer'],
    needsSecondFactor: true,
  },
} as const satisfies PermissionDefinitions;
