import type { PermissionDefinitions } from '../../../kit/index.js';

const group = 'Organization';

export const PEOPLE_PERMISSIONS = {
  'org.owners.manage': { title: 'Appoint, change and remove owners', group, roles: [], needsSecondFactor: true },
  'org.members.manage': { title: 'Add people, change their roles, deactivate them', group, roles: ['admin'], needsSecondFactor: true },
  'org.projects.manage': {
    title: 'Create, rename and archive projects, and set up what modules keep for each',
    group,
    roles: ['admin'],
  },
} as const satisfies PermissionDefinitions;
