import type { PermissionDefinitions } from '../../kit/index.js';

export const TEST_DATA_PERMISSIONS = {
  'org.developer.testdata.erase': { title: 'Erase what test keys created', group: 'Developer area', roles: ['admin', 'developer'] },
} as const satisfies PermissionDefinitions;
