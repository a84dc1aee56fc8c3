import { CommonErrors } from '../kit/index.js';
import { PeopleErrors } from './people/model/people.errors.js';
import type { Declarations } from './registry/module-registry.js';
import { WebhookEvents } from './webhooks/endpoints/webhook.events.js';

/** The errors and events of the platform's own routes; modules declare theirs in their manifests. */
export const PLATFORM_DECLARATIONS: Declarations = {
  errors: { ...CommonErrors, ...PeopleErrors },
  events: { ...WebhookEvents },
};
