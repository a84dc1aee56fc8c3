import { CommonErrors } from '../kit/index.js';
import { AuditEvents } from './audit/audit.events.js';
import { AUDIT_PERMISSIONS } from './audit/audit.permissions.js';
import { CUSTOM_FIELD_PERMISSIONS, CustomFieldErrors } from './custom-fields/custom-field.errors.js';
import { HttpErrors } from './http/errors/http-exceptions.js';
import { KEY_PERMISSIONS } from './keys/keys.permissions.js';
import { MAIL_PERMISSIONS } from './mail/mail.permissions.js';
import { PeopleErrors } from './people/model/people.errors.js';
import { PEOPLE_PERMISSIONS } from './people/model/people.permissions.js';
import { ClosureErrors } from './organization-data/closures/closures.errors.js';
import { ORGANIZATION_DATA_PERMISSIONS } from './organization-data/organization-data.permissions.js';
import type { Declarations } from './registry/module-registry.js';
import { REQUEST_LOG_PERMISSIONS } from './request-log/request-log.permissions.js';
import { TEST_DATA_PERMISSIONS } from './scheduled-jobs/test-data.permissions.js';
import { WebhookEvents } from './webhooks/endpoints/webhook.events.js';
import { WEBHOOK_PERMISSIONS } from './webhooks/webhooks.permissions.js';

/** The permissions, errors and events of the platform's own routes; modules declare theirs in their manifests. */
export const PLATFORM_DECLARATIONS: Declarations = {
  permissions: {
    ...PEOPLE_PERMISSIONS,
    ...KEY_PERMISSIONS,
    ...WEBHOOK_PERMISSIONS,
    ...MAIL_PERMISSIONS,
    ...REQUEST_LOG_PERMISSIONS,
    ...TEST_DATA_PERMISSIONS,
    ...CUSTOM_FIELD_PERMISSIONS,
    ...AUDIT_PERMISSIONS,
    ...ORGANIZATION_DATA_PERMISSIONS,
  },
  errors: { ...CommonErrors, ...HttpErrors, ...PeopleErrors, ...CustomFieldErrors, ...ClosureErrors },
  events: { ...WebhookEvents, ...AuditEvents },
};
