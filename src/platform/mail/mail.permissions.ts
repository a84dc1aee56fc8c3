import type { PermissionDefinitions } from '../../kit/index.js';

export const MAIL_PERMISSIONS = {
  'org.developer.mail.view': { title: 'See sent and unsent mails', group: 'Developer area', roles: ['admin', 'developer'] },
  'org.developer.mail.send': {
    title: 'Send mails again that failed or were held',
    group: 'Developer area',
    roles: ['admin', 'developer'],
  },
} as const satisfies PermissionDefinitions;
