import type { PermissionDefinitions } from '../../kit/index.js';

const group = 'Organization';

export const ORGANIZATION_DATA_PERMISSIONS = {
  'org.organization.delete': { title: 'Delete the organization with all its data', group, roles: [], needsSecondFactor: true },
  'org.people.erase': { title: 'Erase what is stored about a person', group, roles: ['admin'], needsSecondFactor: true },
  'org.data.export': { title: 'Export all data of the organization', group, roles: ['admin'], needsSecondFactor: true },
} as const satisfies PermissionDefinitions;
