import { WebhookEvents } from '../webhooks/webhook.events.js';

/** The platform's own events; modules bring theirs in their manifests. */
export const PLATFORM_EVENTS = { ...WebhookEvents };
