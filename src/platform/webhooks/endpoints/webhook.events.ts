import { defineEvents, event } from '../../../kit/index.js';
import { WebhookEndpointDto } from './webhook-endpoints.dto.js';

/** The platform's own event. */
export const WebhookEvents = defineEvents({
  tested: event({
    name: 'webhook_endpoint.tested',
    description: 'Someone sent a test event to this endpoint; it goes to no other.',
    payload: WebhookEndpointDto,
  }),
});
